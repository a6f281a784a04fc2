import { workflowInfo } from '@temporalio/workflow';
import type { DeliverEvent, RoundProgress } from '../../shared/deliveries/types.ts';

/** A workflow whose first task comes later than this after its start reads the record, in ms. */
const holdsForMs = 1_000;

/** A round of which nothing is recorded yet. */
const fromTheStart: RoundProgress = {
  status: 'pending',
  inProgress: true,
  attemptsMade: 0,
  manualAttemptsMade: 0,
  dueInMs: 0,
};

/**
 * How far the round has come by what the workflow was started with: the outcome of the first attempt. Undefined when that says too little or is
 * old, and the record is to be read.
 */
export const firstOutcome = ({ first, isTest, resumed }: DeliverEvent): RoundProgress | undefined => {
  // Processes of 0.3 have begun workflows that make the first attempt themselves.
  if (!resumed) return fromTheStart;
  const { startTime, runId, firstExecutionRunId } = workflowInfo();
  const sinceMs = Date.now() - startTime.getTime();
  const isReset = runId !== firstExecutionRunId;
  if (!first || isReset || (first.dueInMs !== undefined && sinceMs > holdsForMs)) return undefined;
  const { dueInMs = 0, ...last } = first;
  const made = { attemptsMade: 1, manualAttemptsMade: 0, last };
  if (last.outcome === 'succeeded') return { status: 'delivered', inProgress: false, dueInMs: 0, ...made };
  if (isTest) return { status: 'failed', inProgress: false, dueInMs: 0, ...made };
  return { status: 'retrying', inProgress: true, dueInMs: Math.max(0, dueInMs - sinceMs), ...made };
};

/** The same delivery, of which nothing holds but the record. */
export const asRecorded = (delivery: DeliverEvent): DeliverEvent => ({ ...delivery, first: undefined, resumed: true });
