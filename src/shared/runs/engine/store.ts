import type { EventTransaction, Fact } from '../../facts/tell.ts';
import { showId } from '../../ids.ts';
import type { LinkTo } from '../../media/schema.ts';
import { storeEffects } from '../effects/index.ts';
import { moveForeground } from '../foreground.ts';
import { putInput } from '../inputs.ts';
import type { Pass, PassNext } from './pass.ts';
import type { RunState } from './run-state.ts';
import { causeOf, type ReadSnapshot } from './snapshot-row.ts';
import { hasMovedOn, storePassedOver, storeRun, storeSteps, type Tells } from './store-run.ts';
import { tellFailure } from './tell-failure.ts';
import { changed } from '../../facts/changed.ts';

/** Where links in mails lead to, and links to files that a flow gives away. */
export type Urls = { baseUrl: string; apiUrl: string; lastingLinkTo: LinkTo };

/** `refused`: why the run has to fail instead, and nothing was written. `next`: what the workflow does after what was written. */
type StoredPass = { refused: string } | { next: PassNext };

type ToStore = { snapshot: ReadSnapshot; pass: Pass; urls: Urls; tells?: Tells | undefined };

/**
 * Writes a pass in the transaction that read its snapshot, and has locked contact and run.
 * The facts of the conversation come last, because reactions read the run. A run whose wait has ended meanwhile has another pass at once.
 */
export const storePass = async (
  tx: EventTransaction,
  { snapshot, pass, urls, tells }: ToStore,
): Promise<StoredPass> => {
  const { sql } = tx;
  const toStore = { snapshot, effects: pass.effects };
  const { refused } = await storeEffects(tx, 'contact', toStore);
  if (refused !== undefined) return { refused };
  await storeSteps(tx, pass);
  const held: Fact[] = [];
  const holding = { ...tx, tell: async (fact: Fact) => void held.push(fact) };
  const { lastSeq } = await storeEffects(holding, 'conversation', toStore);
  const run = withSeq(pass.run, lastSeq);
  await storePassedOver(tx, snapshot, { ...pass, run });
  const next: PassNext = (await hasMovedOn(sql, snapshot, run)) ? { type: 'more' } : pass.next;
  storeRun(tx, { ...pass, run, next, tells });
  const { switchedTo } = await storeEffects(tx, 'flows', toStore);
  const { foreground: from, row } = snapshot;
  // The conversation goes on in the flow that is switched to.
  const to = switchedTo !== undefined && from === run.id ? switchedTo : pass.foreground;
  await moveForeground(tx, { contactId: row.contactId, from, to });
  await storeEffects(tx, 'events', toStore);
  for (const fact of held) await tx.tell(fact);
  await tx.tell(changed(row.accountId, 'runs'));
  if (pass.next.type === 'over') {
    if (run.status === 'failed') await tellFailure(tx, snapshot, { run, ...urls });
    await tellEnd(tx, snapshot, run);
  }
  return { next };
};

/** The newest message of a pass has its number only now. */
const withSeq = (run: RunState, lastSeq: number | undefined): RunState => {
  const known = (seq: number): number => (seq === Infinity ? (lastSeq ?? 0) : seq);
  return { ...run, lastSeq: known(run.lastSeq), afterSeq: known(run.afterSeq) };
};

/** Tells the run that started this one, and, of a flow that was walked to its end, the world (flow_completed). */
const tellEnd = async (tx: EventTransaction, snapshot: ReadSnapshot, run: RunState): Promise<void> => {
  const { accountId, contactId, parentRunId, flowId } = snapshot.row;
  const { status } = run;
  if (parentRunId !== null)
    await putInput(tx, { runId: parentRunId, kind: 'child_ended', refId: run.id, data: { status } });
  if (status !== 'completed' || run.reason !== null) return;
  const flow = { id: showId('flow', flowId), name: snapshot.context.flow.name };
  const occurredAt = snapshot.context.now;
  await tx.tell({ name: 'flow_completed', accountId, contactId, flow, occurredAt, cause: causeOf(snapshot) });
};
