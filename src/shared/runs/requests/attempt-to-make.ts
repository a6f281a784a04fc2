import type { OpenCredential, OpenToken } from '../../credentials/open.ts';
import type { RequestPlace } from '../../external-requests/log.ts';
import type { RenderedRequest } from '../../external-requests/render-request.ts';
import type { EventTransact, EventTransaction } from '../../facts/tell.ts';
import type { FieldsInZone } from '../../flows/blocks/fields.ts';
import type { Item } from '../../flows/blocks/for-each.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { EndedRun } from '../engine/ended-run.ts';
import { makePass, type MadePass } from '../engine/make-pass.ts';
import type { CarriedRun } from '../engine/read-snapshot.ts';
import type { Urls } from '../engine/store.ts';
import type { ReadVersion } from '../engine/versions.ts';
import type { Next } from '../types.ts';
import { withAnswer, type HeldBy, type SnapshotAtRequest } from './at-request.ts';
import type { Answer } from './rounds.ts';

export type AttemptDeps = Urls & { transact: EventTransact; readVersion: ReadVersion; secrets: Secrets };

/** An attempt that is to be sent now: it is written down as `sending`. */
export type BegunAttempt = RequestPlace &
  Omit<CarriedRun, 'version'> & {
    /** The version that the run walks. */
    version: NonNullable<CarriedRun['version']>;
    id: string;
    /** The attempt before, if any. */
    previousId: string | null;
    number: number;
    /** Whether an attempt before it had a token renewed: that one does not count. */
    wasUnauthorized: boolean;
    /** The item of a list that it is for. */
    item: Item | undefined;
    config: ExternalRequest;
    origin: string;
    /** It finds out whether an origin that was failing is well again. */
    isProbe: boolean;
    rendered: RenderedRequest;
    credentials: ReadonlyMap<string, OpenCredential>;
    known: FieldsInZone;
    v: number;
  };

/** What there is to do about a request: nothing more, later, or now. */
export type AttemptToMake =
  | { type: 'none'; next?: Next | undefined; ended?: EndedRun | undefined }
  | { type: 'later'; ms: number; heldBy: HeldBy | undefined }
  /** Nothing is written down: it is not the first attempt, or takes longer than a workflow task has time for. */
  | { type: 'ordinary' }
  /** Nothing is written down: access tokens are to be renewed first, outside of the transaction. */
  | { type: 'tokens'; accountId: string; due: readonly OpenToken[] }
  | ({ type: 'now' } & BegunAttempt);

/** An attempt that is `sending` for longer than its time and this is given up: whoever made it is gone. */
export const lostAfterMs = 15_000;

/** Leaves the block without another request. */
export const leave = async (
  tx: EventTransaction,
  urls: Urls,
  snapshot: SnapshotAtRequest,
  answer: Answer,
): Promise<AttemptToMake> => nothingToDo(await makePass(tx, withAnswer(snapshot, answer), { urls }));

/** What a pass has left to do instead of an attempt. */
export const nothingToDo = ({ next, ended }: MadePass): AttemptToMake => ({ type: 'none', next, ended });
