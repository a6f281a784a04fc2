import type { FieldValue } from '../../custom-fields/values.ts';
import type { Port } from '../../external-requests/after-attempt.ts';
import type { MappedField } from '../../external-requests/map-response.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { RunKey } from '../engine/read-snapshot.ts';
import type { RunState, StepState } from '../engine/run-state.ts';
import type { RunSnapshot } from '../engine/snapshot.ts';
import type { ReadSnapshot } from '../engine/snapshot-row.ts';

/** A run that is at the request of a step. */
export type SnapshotAtRequest = ReadSnapshot & { step: StepState };

/** The run while it is at the request of this step, which nobody has ended yet. */
export const atRequest = (snapshot: ReadSnapshot | undefined, step: number): SnapshotAtRequest | undefined =>
  snapshot?.step?.number === step && snapshot.step.status === 'open' && snapshot.run.waiting === 'call'
    ? { ...snapshot, step: snapshot.step }
    : undefined;

/** The same run when its request has ended: its block leaves by this port, and its fields are written. */
export const withAnswer = <Snapshot extends RunSnapshot>(
  snapshot: Snapshot,
  { port, reason, fields = [] }: { port: Port; reason?: string | undefined; fields?: readonly MappedField[] },
): Snapshot => {
  const written = fields.flatMap((field): { key: string; value: FieldValue | null }[] => {
    if (field.outcome === 'set') return [{ key: field.field, value: field.value }];
    return field.outcome === 'cleared' ? [{ key: field.field, value: null }] : [];
  });
  return { ...snapshot, inputs: [{ type: 'request_ended', port, reason, fields: written }, ...snapshot.inputs] };
};

/** Why an attempt is not made now: the origin is failing, the run has made many requests, its last attempt failed, or its item is over. */
type WaitReason = 'next_try' | 'next_item' | HeldBy;

/** What keeps a request that has not failed from being made. */
export type HeldBy = 'origin_down' | 'call_limit' | 'token_wait';

/** What the row says that holds the request up, if anything does. */
export const heldBy = ({ reason }: RunState): HeldBy | undefined =>
  reason === 'origin_down' || reason === 'call_limit' || reason === 'token_wait' ? reason : undefined;

/** Says in the run's row until when its request waits, and why. The sweep leaves it alone until then. */
export const postponeAttempt = async (
  sql: Sql,
  runId: string,
  { ms, reason }: { ms: number; reason: WaitReason },
): Promise<void> => {
  await sql`
    update runs set wake_at = clock_timestamp() + ${ms} * interval '1 ms', reason = ${reason},
      sweep_at = clock_timestamp() + ${ms + sweepGraceMs} * interval '1 ms'
    where id = ${runId}`;
};

/** Has a run that is still at this attempt make one at once, where it is not the first. */
export const planNextAttempt = async (
  sql: Sql,
  { runId, resumes, step, previousId }: RunKey & { step: number; previousId: string | null },
): Promise<void> => {
  if (previousId === null) return;
  await sql`
    update runs set wake_at = clock_timestamp(), reason = 'next_try'
    where id = ${runId} and resumes = ${resumes} and step = ${step} and waiting = 'call'`;
};

/** How long after the end of a request the sweep looks whether a workflow still carries the run, in ms. */
export const sweepGraceMs = 60_000;
