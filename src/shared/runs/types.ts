import type { RunStatus, Waiting } from './engine/run-state.ts';

/** What the workflow of a run knows: ids as they are shown outside. */
export type RunFlow = {
  runId: string;
  /** The workflows of this run before this one: the fence of its activities. */
  resumes: number;
  /** Whose share its passes take, and in which line they stand; runs that began before 0.3.0 do not know. */
  accountId?: string;
  contactId?: string;
  /** The version that it walks; a retry on another one has another workflow. Runs that began before 0.4.0 do not know. */
  flowId?: string;
  version?: number;
  /** Whether results of attempts say what is next. Processes of 0.3 do not read that, and get no such run. */
  nextInResult?: true;
  /** Whether attempts that got no good answer fail visibly. Processes of 0.3 do not read a result from that, and get no such run. */
  failsVisibly?: true;
  /** Whether short requests are made in its workflow tasks. Processes of 0.3 cannot, and get no such run. */
  localRequests?: true;
  /**
   * What the first pass has come to, where the transaction that has begun the run has made it. Processes of 0.3 do not read that, and get no such
   * run.
   */
  first?: First;
};

/** What the start of a workflow tells it. */
export type First = Exclude<Next, { type: 'more' }>;

/** How a run ended, and why it did if it did not complete. */
export type RunEnd = { status: RunStatus; reason?: string };

/** The workflow that carries a run. */
export type RunFlowWorkflow = (run: RunFlow) => Promise<RunEnd>;

/**
 * What the workflow does after a pass. Ids of blocks, numbers and enums only: it stands in Temporal's history.
 *
 * - `wait`: `dueAt` says which wait the timer is for, in ms since the epoch by the database's clock.
 * - `call`: makes the block's request. `lane` is the fairness key of its share of all requests under way; `item` counts from 0, where it is known.
 *   `local`: in a workflow task, where the process that makes it has room.
 * - `over`: `reason` is one of the engine's own words, or a block and its port; `blockId` is where the run has failed.
 */
export type Next =
  | { type: 'more' }
  | { type: 'wait'; step: number; blockId: string; waiting: Waiting; dueInMs?: number; dueAt?: number }
  | { type: 'call'; step: number; blockId: string; timeoutMs: number; lane: string; item?: number; local?: true }
  | { type: 'over'; status: RunStatus; reason?: string; blockId?: string };

/** A timer of the workflow that has fired: of which step, and of which wait of it. */
export type FiredTimer = { step: number; at: number };

/**
 * One attempt of an External Request: the status that was answered, or why none was, or what holds the attempt up; and the port that the step has
 * taken. `attempt` is its number where it got no good answer, `item` the item of a list that it was for. `retryInMs` when there is to be another attempt,
 * or somebody else may be at it; `next` when the pass behind the request was made with it; `ordinary` when none was made, because it is none for a
 * workflow task.
 */
export type AttemptResult = {
  status?: number;
  reason?: string;
  port?: string;
  item?: number;
  attempt?: number;
  retryInMs?: number;
  next?: Next;
  ordinary?: true;
};
