import type { EventTransaction } from '../../facts/tell.ts';
import { readId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { requestLane } from '../requests/request-lane.ts';
import type { Next } from '../types.ts';
import { endedRun, type EndedRun } from './ended-run.ts';
import { lockFlows, readTargets } from './flow-targets.ts';
import { failHere, interpret } from './interpret.ts';
import type { Pass, PassNext } from './pass.ts';
import type { ReadSnapshot } from './snapshot-row.ts';
import type { Tells } from './store-run.ts';
import { storePass, type Urls } from './store.ts';
import { withFiles } from './with-files.ts';

/** A pass that was written, what the workflow does next, and the run, where the pass has ended it or has entered its first block. */
export type MadePass = { pass: Pass; next: Next; started: StartedRun | undefined; ended: EndedRun | undefined };

type StartedRun = { id: string; accountId: string; flowId: string; version: number };

/**
 * Makes a pass over a run and writes it, in the transaction that read the snapshot. Where a contact cannot have what the pass wants to give it, the
 * run fails instead. `onlyStep`: makes one step, and leaves the rest to the next pass. `tells`: the run's workflow does not make the pass itself, and
 * hears of it after the commit.
 */
export const makePass = async (
  tx: EventTransaction,
  read: ReadSnapshot,
  { urls, onlyStep = false, tells }: { urls: Urls; onlyStep?: boolean; tells?: Tells },
): Promise<MadePass> => {
  const snapshot = await withFiles(tx.sql, read, urls);
  const pass = onlyStep ? interpret(snapshot, { steps: 1 }) : await decide(tx.sql, snapshot);
  const stored = await storePass(tx, { snapshot, pass, urls, tells });
  if ('next' in stored) return madeOf(snapshot, { ...pass, next: stored.next });
  // What a request has answered is written whatever follows it.
  if (!onlyStep && hasAnswer(snapshot)) return makePass(tx, snapshot, { urls, onlyStep: true });
  return failRun(tx, snapshot, { urls, reason: stored.refused, tells });
};

/** Has the run fail where it is. */
export const failRun = async (
  tx: EventTransaction,
  snapshot: ReadSnapshot,
  { urls, reason, tells }: { urls: Urls; reason: string; tells?: Tells | undefined },
): Promise<MadePass> => {
  const pass = failHere(snapshot, reason);
  await storePass(tx, { snapshot, pass, urls, tells });
  return madeOf(snapshot, pass);
};

const hasAnswer = ({ inputs }: ReadSnapshot): boolean => inputs.some(({ type }) => type === 'request_ended');

const madeOf = (snapshot: ReadSnapshot, pass: Pass): MadePass => ({
  pass,
  next: nextOf(snapshot, pass.next),
  started: startedRun(snapshot, pass),
  ended: endedRun(snapshot, pass.next),
});

const startedRun = ({ step, run: { id }, row }: ReadSnapshot, { steps }: Pass): StartedRun | undefined => {
  if (step !== undefined || steps.length === 0) return undefined;
  const { accountId, flowId, version } = row;
  return { id, accountId, flowId, version };
};

/** A flow that the run starts is locked, so that it is live until the commit; it may have been paused since the snapshot was read. */
const decide = async (sql: Sql, snapshot: ReadSnapshot): Promise<Pass> => {
  const pass = interpret(snapshot);
  const started = pass.effects.flatMap((effect) => (effect.type === 'start_flow' ? [effect.flowId] : []));
  if (started.length === 0) return pass;
  await lockFlows(sql, started);
  const flowIds = started.map((id) => readId('flow', id));
  return interpret({ ...snapshot, targets: await readTargets(sql, snapshot.row.contactId, flowIds) });
};

/** What the workflow does next, with what only this driver knows of a request. */
export const nextOf = ({ requestOf, row }: Pick<ReadSnapshot, 'requestOf' | 'row'>, next: PassNext): Next => {
  if (next.type !== 'call') return next;
  const { origin, timeoutMs } = requestOf(next.blockId);
  return { ...next, timeoutMs, lane: requestLane(row.accountId, origin) };
};
