import { createHash } from 'node:crypto';
import { showId } from '../../ids.ts';
import { fairnessKeyOf } from '../../platform/temporal/fairness.ts';

/** The fairness key of a request: the account's, and within it the origin's, which Temporal sees only as a hash. */
export const requestLane = (accountId: string, origin: string): string =>
  fairnessKeyOf(showId('account', accountId), createHash('sha256').update(origin).digest('base64url').slice(0, 16));
