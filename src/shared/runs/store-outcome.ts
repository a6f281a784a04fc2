import { writeFields } from '../contacts/write-fields.ts';
import { closeOpen, tellClosed, type Closed } from '../conversations/close.ts';
import { queueMessages } from '../conversations/queue-messages.ts';
import { isProfileField, type FieldValue } from '../custom-fields/values.ts';
import { emitEvent, type EventTransaction } from '../events/emit.ts';
import type { Cause } from '../events/events.ts';
import type { Effect } from '../flows/blocks/block.ts';
import { insertHandover } from '../handovers/queries.ts';
import { tellRequested } from '../handovers/request.ts';
import type { HandoverRow } from '../handovers/schema.ts';
import { readId, showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { applyTag, removeTag } from '../tags/apply.ts';
import { endHandover } from './end-handover.ts';
import { insertRun } from './insert-run.ts';
import { moveForeground } from './foreground.ts';
import { putInput } from './inputs.ts';
import type { ReadScene } from './read-scene.ts';
import { profileText } from './apply-to-situation.ts';
import { wakeRunsOf } from './wake-runs.ts';
import { failHere } from './interpret.ts';
import type { Answer, Outcome, RunState, StepState } from './scene.ts';
import { tellFailure } from './tell-failure.ts';

type ToStore = { scene: ReadScene; outcome: Outcome; apiUrl: string };

/**
 * Writes what a look has decided, in the transaction that read the scene. The order is that of the locks: the contact is locked, then come
 * runs, then the rest; events, whose webhooks are locked, come last. Answers what the workflow does next.
 */
export const storeOutcome = async (tx: EventTransaction, { scene, outcome, apiUrl }: ToStore): Promise<Answer> => {
  const { sql } = tx;
  const { row } = scene;
  const { effects } = outcome;
  // First, because nothing else may be written when a contact cannot have what the run wants to give it.
  if (!(await storeFields(tx, scene, effects)))
    return storeOutcome(tx, { scene, outcome: failHere({ ...scene, due: undefined }, 'too_many_fields'), apiUrl });
  await storeSteps(sql, outcome);
  const { lastSeq, closed, requested } = await talk(tx, scene, effects);
  const run = withSeq(outcome.run, lastSeq);
  await storeRun(sql, { ...outcome, run, looksAgain: await hasMovedOn(sql, scene, run) });
  const switchedTo = await startFlows(tx, scene, effects);
  const { foreground: from } = scene;
  // The conversation goes on in the flow that is switched to.
  const to = switchedTo !== undefined && from === run.id ? switchedTo : outcome.foreground;
  await moveForeground(tx, { contactId: row.contactId, from, to });
  await storeTags(tx, scene, effects);
  for (const conversation of closed) await tellClosed(tx, conversation, causeOf(scene));
  for (const handover of requested)
    await tellRequested(tx, { accountId: row.accountId, handover, cause: causeOf(scene) });
  if (outcome.next.type === 'over') {
    if (run.status === 'failed') await tellFailure(tx, scene, { run, apiUrl });
    await tellEnd(tx, scene, run);
  }
  return outcome.next;
};

/** What a run causes is one deeper than the run itself. */
const causeOf = ({ row, run }: ReadScene): Cause => ({ depth: row.depth + 1, rootRunId: run.rootRunId });

const storeSteps = async (sql: Sql, { run, steps, taken }: Outcome): Promise<void> => {
  if (steps.length > 0) {
    const rows = steps.map((step) => stepRow(run.id, step));
    await sql`
      insert into run_steps ${sql(rows)}
      on conflict (run_id, number) do update set status = excluded.status, port = excluded.port, reason = excluded.reason,
        tries = excluded.tries, entered_at = excluded.entered_at, left_at = excluded.left_at`;
  }
  if (taken.length > 0) {
    await sql`
      update run_inputs i set taken_by_run = ${run.id}, taken_by_step = t.step
      from unnest(${taken.map(({ seq }) => seq)}::bigint[], ${taken.map(({ step }) => step)}::int[]) as t (seq, step)
      where i.run_id in (${run.id}, ${run.rootRunId}) and i.seq = t.seq`;
  }
};

const stepRow = (
  runId: string,
  { number, blockId, visit, status, port, reason, tries, enteredAt, leftAt }: StepState,
) => ({
  run_id: runId,
  number,
  block_id: blockId,
  visit,
  status,
  port,
  reason,
  tries,
  entered_at: enteredAt,
  left_at: leftAt,
});

type StepEffect = Outcome['effects'][number];

/** False when the contact cannot have them all: then none is written. */
const storeFields = async (
  tx: EventTransaction,
  { row, run }: ReadScene,
  effects: readonly StepEffect[],
): Promise<boolean> => {
  const custom: Record<string, FieldValue | null> = {};
  const profile: Record<string, string | null> = {};
  for (const { effect } of effects) {
    if (effect.type !== 'set_field') continue;
    if (!isProfileField(effect.key)) custom[effect.key] = effect.value;
    else profile[effect.key] = profileText(effect.value);
  }
  if (Object.keys(custom).length + Object.keys(profile).length === 0) return true;
  const { accountId, contactId } = row;
  const problem = await writeFields(tx.sql, { accountId, contactId, custom, profile });
  if (problem) return false;
  if ('time_zone' in profile) await wakeRunsOf(tx, contactId, { except: run.id });
  return true;
};

type Talked = {
  /** The sequence number of the last message; undefined when none was sent. */
  lastSeq: number | undefined;
  /** The conversations that were closed, and the handover that was opened, which nobody has been told of yet. */
  closed: readonly Closed[];
  requested: readonly HandoverRow[];
};

const nothingSaid: Talked = { lastSeq: undefined, closed: [], requested: [] };

/**
 * Sends messages, closes conversations, opens and ends handovers, in their order: what is sent after a closing opens another conversation, and a
 * handover is of the one that is open then.
 */
const talk = async (tx: EventTransaction, scene: ReadScene, effects: readonly StepEffect[]): Promise<Talked> => {
  const at = effects.findIndex(({ effect }) => isTurn(effect));
  const turn = effects[at]?.effect;
  if (!turn) return { ...nothingSaid, lastSeq: await sendMessages(tx, scene, effects) };
  const before = await sendMessages(tx, scene, effects.slice(0, at));
  const turned = await takeTurn(tx, scene, turn);
  const after = await talk(tx, scene, effects.slice(at + 1));
  return {
    lastSeq: after.lastSeq ?? before,
    closed: [...turned.closed, ...after.closed],
    requested: [...turned.requested, ...after.requested],
  };
};

const isTurn = ({ type }: Effect): boolean =>
  type === 'close_conversation' || type === 'request_handover' || type === 'expire_handover';

const takeTurn = async (tx: EventTransaction, { row, run }: ReadScene, effect: Effect): Promise<Talked> => {
  const { accountId, contactId, channelId } = row;
  if (effect.type === 'request_handover') {
    const asked = { accountId, contactId, about: { channelId }, reason: effect.reason, runId: run.id };
    const opened = await insertHandover(tx.sql, { ...asked, requestedBy: 'flow' });
    return { ...nothingSaid, requested: opened ? [opened] : [] };
  }
  if (effect.type === 'expire_handover') {
    await endHandover(tx, { contactId, status: 'expired', if: { runId: run.id } }, { except: run.id });
    return nothingSaid;
  }
  const closed = channelId === null ? undefined : await closeOpen(tx.sql, { contactId, channelId });
  const ending = { contactId, status: 'resolved', if: { conversationId: closed?.id ?? null } } as const;
  await endHandover(tx, ending, { except: run.id });
  return { ...nothingSaid, closed: closed ? [closed] : [] };
};

/** Answers the sequence number of the last message; undefined when none was sent. */
const sendMessages = async (
  tx: EventTransaction,
  { row, run }: ReadScene,
  effects: readonly StepEffect[],
): Promise<number | undefined> => {
  const { accountId, contactId, channelId } = row;
  const messages = effects.flatMap(({ step, position, effect }) =>
    effect.type === 'send'
      ? effect.messages.map((message, index) => ({ ...message, step, position: position + index }))
      : [],
  );
  if (messages.length === 0) return undefined;
  if (channelId === null) throw new Error('a run sends without a channel');
  const queued = await queueMessages(tx, { accountId, contactId, channelId, runId: run.id, messages });
  return queued.at(-1)?.seq;
};

/** The newest message of a look has its number only now. */
const withSeq = (run: RunState, lastSeq: number | undefined): RunState => {
  const known = (seq: number): number => (seq === Infinity ? (lastSeq ?? 0) : seq);
  return { ...run, lastSeq: known(run.lastSeq), afterSeq: known(run.afterSeq) };
};

/**
 * Whether what the run waits by has changed since the scene was read. Whoever changes it meanwhile is waited for, or waits until this
 * transaction ends, and then finds the run that waits: it would be left behind otherwise.
 */
const hasMovedOn = async (sql: Sql, { row, situation }: ReadScene, { waiting }: RunState): Promise<boolean> => {
  if (waiting === 'paused') {
    const [flow] = await sql<{ status: string }[]>`select status from flows where id = ${row.flowId} for share`;
    return flow?.status !== 'paused';
  }
  if (waiting !== 'delay' || situation.contact.timeZone !== null) return false;
  const [account] = await sql<{ timeZone: string }[]>`
    select time_zone from accounts where id = ${row.accountId} for share`;
  return account?.timeZone !== situation.account.timeZone;
};

/** When the sweep looks, beside a time that is set: after the wait, with room for a busy Temporal; a call has its own deadline. */
const storeRun = async (
  sql: Sql,
  { run, reply, event, next, looksAgain }: Outcome & { looksAgain: boolean },
): Promise<void> => {
  const { wakeAt, waiting, status } = run;
  const isOver = next.type === 'over';
  const grace = sql`clock_timestamp() + interval '30 seconds'`;
  const sweepAt = isOver
    ? sql`null`
    : status !== 'waiting'
      ? grace
      : waiting === 'call'
        ? sql`clock_timestamp() + interval '4 minutes'`
        : looksAgain
          ? sql`clock_timestamp()`
          : wakeAt !== null
            ? sql`${wakeAt}::timestamptz + interval '30 seconds'`
            : sql`'infinity'`;
  await sql`
    update runs set status = ${status}, waiting = ${waiting}, step = ${run.step}, block_id = ${run.blockId},
      waiting_since = ${run.waitingSince}, wake_at = ${wakeAt}, left_ms = ${run.leftMs}, last_seq = ${run.lastSeq},
      after_seq = ${run.afterSeq}, event_seq = ${run.eventSeq}, steps_since_wait = ${run.stepsSinceWait},
      visits = ${sql.json(run.visits)}, reply = ${reply && sql.json(reply)}, event = ${event === null ? null : sql.json(event)}, reason = ${run.reason}, woken = false, sweeps = 0, sweep_at = ${sweepAt},
      ended_at = ${isOver ? sql`clock_timestamp()` : sql`null`}
    where id = ${run.id}`;
};

/** Starts the flows that blocks name. Answers the run that was switched to, if any. */
const startFlows = async (
  tx: EventTransaction,
  scene: ReadScene,
  effects: readonly StepEffect[],
): Promise<string | undefined> => {
  const { row, run } = scene;
  const { accountId, contactId, channelId } = row;
  let switchedTo: string | undefined;
  for (const { step, effect } of effects) {
    if (effect.type !== 'start_flow') continue;
    const asked = { accountId, contactId, channelId, flowId: readId('flow', effect.flowId), params: effect.params };
    const isChild = effect.mode === 'child';
    const parent = isChild ? { id: run.id, step, rootRunId: run.rootRunId } : undefined;
    const started = await insertRun(tx, { ...asked, parent, cause: causeOf(scene) });
    if (!isChild) switchedTo = started?.id;
  }
  return switchedTo;
};

const storeTags = async (tx: EventTransaction, scene: ReadScene, effects: readonly StepEffect[]): Promise<void> => {
  const { accountId, contactId } = scene.row;
  for (const { effect } of effects) {
    if (effect.type === 'add_tag')
      await applyTag(tx, { accountId, contactId, name: effect.name, cause: causeOf(scene) });
    else if (effect.type === 'remove_tag') await removeTag(tx.sql, { accountId, contactId, name: effect.name });
  }
};

/** Tells the run that started this one, and, of a flow that was walked to its end, the world (flow_completed). */
const tellEnd = async (tx: EventTransaction, scene: ReadScene, run: RunState): Promise<void> => {
  const { accountId, contactId, parentRunId, flowId } = scene.row;
  const { status } = run;
  if (parentRunId !== null)
    await putInput(tx, { runId: parentRunId, kind: 'child_ended', refId: run.id, data: { status } });
  if (status !== 'completed' || run.reason !== null) return;
  const flow = { id: showId('flow', flowId), name: scene.situation.flow.name };
  const occurredAt = scene.situation.now;
  await emitEvent(tx, { name: 'flow_completed', accountId, contactId, flow, occurredAt, cause: causeOf(scene) });
};
