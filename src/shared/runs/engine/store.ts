import { writeFields } from '../../contacts/write-fields.ts';
import { tellClosed } from '../../messages/conversations/close.ts';
import { isProfileField, type FieldValue } from '../../custom-fields/values.ts';
import { emitEvent, type EventTransaction } from '../../events/emit.ts';
import type { Cause } from '../../events/events.ts';
import { tellRequested } from '../../handovers/request.ts';
import { readId, showId } from '../../ids.ts';
import { applyTag, removeTag } from '../../tags/apply.ts';
import { insertRun } from '../life/insert-run.ts';
import { moveForeground } from '../foreground.ts';
import { putInput } from '../inputs.ts';
import { profileText } from '../effects/apply-to-context.ts';
import { wakeRunsOf } from '../life/wake-runs.ts';
import { failHere } from './interpret.ts';
import type { Answer, Outcome, RunState, StepEffect } from './snapshot.ts';
import type { ReadScene } from './snapshot-row.ts';
import { hasMovedOn, storePassedOver, storeRun, storeSteps } from './store-run.ts';
import { talk } from '../effects/talk.ts';
import { tellFailure } from './tell-failure.ts';

type ToStore = { scene: ReadScene; outcome: Outcome; baseUrl: string; apiUrl: string };

/**
 * Writes what a look has decided, in the transaction that read the scene. The order is that of the locks: the contact is locked, then come
 * runs, then the rest; events, whose webhooks are locked, come last. Answers what the workflow does next.
 */
export const storeOutcome = async (
  tx: EventTransaction,
  { scene, outcome, baseUrl, apiUrl }: ToStore,
): Promise<Answer> => {
  const { sql } = tx;
  const { row } = scene;
  const { effects } = outcome;
  // First, because nothing else may be written when a contact cannot have what the run wants to give it.
  if (!(await storeFields(tx, scene, effects)))
    return storeOutcome(tx, {
      scene,
      outcome: failHere({ ...scene, due: undefined }, 'too_many_fields'),
      baseUrl,
      apiUrl,
    });
  await storeSteps(sql, outcome);
  const { lastSeq, closed, requested } = await talk(tx, scene, effects);
  const run = withSeq(outcome.run, lastSeq);
  await storePassedOver(sql, scene, { ...outcome, run });
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
    if (run.status === 'failed') await tellFailure(tx, scene, { run, baseUrl, apiUrl });
    await tellEnd(tx, scene, run);
  }
  return outcome.next;
};

/** What a run causes is one deeper than the run itself. */
const causeOf = ({ row, run }: ReadScene): Cause => ({
  depth: row.depth + 1,
  rootRunId: run.rootRunId,
  originRunId: row.originRunId,
});

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

/** The newest message of a look has its number only now. */
const withSeq = (run: RunState, lastSeq: number | undefined): RunState => {
  const known = (seq: number): number => (seq === Infinity ? (lastSeq ?? 0) : seq);
  return { ...run, lastSeq: known(run.lastSeq), afterSeq: known(run.afterSeq) };
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
    if (!isChild && typeof started === 'object') switchedTo = started.id;
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
  const flow = { id: showId('flow', flowId), name: scene.context.flow.name };
  const occurredAt = scene.context.now;
  await emitEvent(tx, { name: 'flow_completed', accountId, contactId, flow, occurredAt, cause: causeOf(scene) });
};
