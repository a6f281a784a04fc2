import { createHash } from 'node:crypto';
import { showId } from '../../ids.ts';
import { fairnessKeyOf } from '../../platform/temporal/fairness.ts';

/** Whose share of the calls under way a call takes: the account's, and within it the origin's, which Temporal sees only as a hash. */
export const callLane = (accountId: string, origin: string): string =>
  fairnessKeyOf(showId('account', accountId), createHash('sha256').update(origin).digest('base64url').slice(0, 16));
