import { found, RequestError } from '../errors.ts';
import { changed } from '../facts/changed.ts';
import { flowResumed } from '../facts/flow-resumed.ts';
import type { EventTransaction, Writer } from '../facts/tell.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findUses, lockUses, usedBy } from './find-uses.ts';
import {
  countFlows,
  findFlow,
  insertFlow,
  lockFlow,
  renameFlow as renameRow,
  setFlowStatus,
  type FlowKey,
} from './queries.ts';
import type { DraftDefinition, FlowRow, FlowStatus } from './schema.ts';
import { deleteTriggers, putTriggersInForce } from './triggers.ts';
import { usesOfDraft } from './uses-of-draft.ts';

/** The most flows of an account, without those in the archive and with them. */
const flowsPerAccount = { unarchived: 500, all: 2_000 } as const;

/**
 * Adds a flow with a draft that may be half-finished. `uses` is what the draft needs, where that is known already. Throws `conflict` when the
 * account has as many flows as it may.
 */
export const createFlow = async (
  { sql, tell }: Writer,
  accountId: string,
  { name, definition, uses }: { name: string; definition: DraftDefinition; uses?: readonly string[] },
): Promise<FlowRow> => {
  const { all, unarchived } = await countFlows(sql, accountId);
  requireRoom(unarchived);
  if (all >= flowsPerAccount.all)
    throw new RequestError('conflict', `An account has at most ${flowsPerAccount.all} flows, archived ones included.`);
  const flow = await insertFlow(sql, accountId, { name, definition, uses: uses ?? usesOfDraft(definition) });
  await tell(changed(accountId, 'flows'));
  return flow;
};

const requireRoom = (unarchived: number): void => {
  if (unarchived < flowsPerAccount.unarchived) return;
  throw new RequestError('conflict', `An account has at most ${flowsPerAccount.unarchived} flows: archive one first.`);
};

/** The account's flow; throws `not_found`. */
export const getFlow = async (sql: Sql, key: FlowKey): Promise<FlowRow> => found('flow', await findFlow(sql, key));

/** Renames a flow; throws `not_found`. */
export const renameFlow = async ({ sql, tell }: Writer, key: FlowKey, name: string): Promise<FlowRow> => {
  const flow = found('flow', await renameRow(sql, key, name));
  await tell(changed(key.accountId, 'flows'));
  return flow;
};

/** What can be done with a flow beside publishing it. */
export const flowActions = ['pause', 'resume', 'archive', 'unarchive'] as const;

export type FlowAction = (typeof flowActions)[number];

/** The states in which an action is possible, and the one that it leads to. In that state already, a flow stays as it is. */
const transitions: Readonly<Record<FlowAction, { from: readonly FlowStatus[]; to: FlowStatus }>> = {
  pause: { from: ['live'], to: 'paused' },
  resume: { from: ['paused'], to: 'live' },
  archive: { from: ['draft', 'live', 'paused'], to: 'archived' },
  unarchive: { from: ['archived'], to: 'draft' },
};

/**
 * Pauses, resumes, archives or unarchives a flow. Throws `not_found`, and `conflict` when its state does not allow that, when another flow
 * starts the one that is to be archived, and when there is no room for one from the archive. Only the triggers of live flows are kept.
 * Tells flow_resumed of one that was paused.
 */
export const changeFlow = async (tx: EventTransaction, key: FlowKey, action: FlowAction): Promise<FlowRow> => {
  const { sql } = tx;
  // In the same order as publishing takes its locks.
  await lockUses(sql, key.accountId);
  const flow = found('flow', await lockFlow(sql, key));
  const { from, to } = transitions[action];
  if (flow.status === to) return flow;
  if (!from.includes(flow.status)) throw new RequestError('conflict', `The flow ${sayStatus[flow.status]}.`);
  if (action === 'archive') await requireUnstarted(sql, key);
  if (action === 'unarchive') requireRoom((await countFlows(sql, key.accountId)).unarchived);
  if (to === 'live') await putTriggersInForce(sql, key);
  else await deleteTriggers(sql, key.id);
  const row = await setFlowStatus(sql, key.id, to);
  await tx.tell(changed(key.accountId, 'flows'));
  if (flow.status === 'paused') await tx.tell(flowResumed({ accountId: key.accountId, flowId: key.id }));
  return row;
};

const sayStatus = {
  draft: 'is not published',
  live: 'is live',
  paused: 'is paused',
  archived: 'is archived',
} as const satisfies Record<FlowStatus, string>;

/** Throws `conflict` when a contact could come from another flow into this one. Drafts do not count: checking them tells of it. */
const requireUnstarted = async (sql: Sql, { accountId, id }: FlowKey): Promise<void> => {
  const uses = await findUses(sql, accountId, `flow:${id}`);
  const starting = uses.filter(({ isLive, openVersions }) => isLive || openVersions.length > 0);
  if (starting.length > 0) throw usedBy('Other flows start this one: details say which.', starting);
};
