import type { Port } from '../../external-requests/after-try.ts';
import type { MappedField } from '../../external-requests/map-response.ts';
import type { Effect } from '../../flows/blocks/block.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Fence } from '../engine/read-snapshot.ts';
import type { ReadScene } from '../engine/snapshot-row.ts';
import type { Outcome, RunState, StepState } from '../engine/snapshot.ts';

/** A run that is at the call of a step. */
export type SceneAtCall = ReadScene & { step: StepState };

/** The run while it is at the call of this step, which nobody has ended yet. */
export const atCall = (scene: ReadScene | undefined, step: number): SceneAtCall | undefined =>
  scene?.step?.number === step && scene.step.status === 'open' && scene.run.waiting === 'call'
    ? { ...scene, step: scene.step }
    : undefined;

/** Leaves the block by a port; all mapped fields are written with it. The next look goes on from there. */
export const leaveCall = (
  { run, step, context, foreground }: SceneAtCall,
  { port, reason = null, fields = [] }: { port: Port; reason?: string | null; fields?: readonly MappedField[] },
): Outcome => ({
  run: { ...run, ...goingOn, status: 'running', reason: null, stepsSinceWait: 0 },
  steps: [{ ...step, status: 'done', port, reason, leftAt: context.now }],
  reply: context.run.reply,
  event: context.run.event,
  effects: fields.flatMap((field) => effectOf(field)).map((effect) => ({ step: step.number, position: 0, effect })),
  taken: [],
  foreground,
  next: { type: 'more' },
});

const goingOn = { waiting: null, waitingSince: null, wakeAt: null, leftMs: null } as const;

const effectOf = (field: MappedField): Effect[] => {
  if (field.outcome === 'set') return [{ type: 'set_field', key: field.field, value: field.value }];
  return field.outcome === 'cleared' ? [{ type: 'set_field', key: field.field, value: null }] : [];
};

/** Why a call is not made now, or again: the origin is failing, the run has made many calls, or its last try failed. */
type WaitReason = 'next_try' | HeldBy;

/** What keeps a call that has not failed from being made. */
export type HeldBy = 'origin_down' | 'call_limit';

/** What the row says that holds the call up, if anything does. */
export const heldBy = ({ reason }: RunState): HeldBy | undefined =>
  reason === 'origin_down' || reason === 'call_limit' ? reason : undefined;

/** Says in the run's row until when its call waits, and why. The sweep leaves it alone until then. */
export const postponeCall = async (
  sql: Sql,
  runId: string,
  { ms, reason }: { ms: number; reason: WaitReason },
): Promise<void> => {
  await sql`
    update runs set wake_at = clock_timestamp() + ${ms} * interval '1 ms', reason = ${reason},
      sweep_at = clock_timestamp() + ${ms + sweepGraceMs} * interval '1 ms'
    where id = ${runId}`;
};

/** Has a run that is still at this try make one at once, where it is not the first. */
export const planNextTry = async (
  sql: Sql,
  { fence, step, previousId }: { fence: Fence; step: number; previousId: string | null },
): Promise<void> => {
  if (previousId === null) return;
  await sql`
    update runs set wake_at = clock_timestamp(), reason = 'next_try'
    where id = ${fence.runId} and resumes = ${fence.resumes} and step = ${step} and waiting = 'call'`;
};

/** How long after the end of a call the sweep looks whether a workflow still carries the run, in ms. */
export const sweepGraceMs = 60_000;
