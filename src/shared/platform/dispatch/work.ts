import type { Workflow, WorkflowStartOptions } from '@temporalio/client';
import type { Lane } from '../bulkhead/bulkhead.ts';
import type { Fragment, Sql } from '../db/connect.ts';

/** What every row of work has; ids are UUIDs. */
export type WorkRow = {
  id: string;
  accountId: string;
  /** Its workflows before this one, which were lost or paused. */
  resumes: number;
};

/** How a workflow is started: `eager` where a worker of this process can take its first task at once. */
export type StartMode = {
  eager: boolean;
  firstAttempt: 'local' | 'ordinary';
  /** Whether every process that can get the workflow reads failed activities; see `readSettlingMs`. */
  visible: boolean;
};

/** What Temporal is asked for, but for the workflow's id. */
export type WorkflowStart = {
  type: string;
  args: unknown[];
  options: Omit<WorkflowStartOptions, 'args' | 'workflowId' | 'workflowIdReusePolicy'>;
};

/** A start whose arguments are those of the workflow's type. */
export const startOf = <Type extends Workflow>(
  type: string,
  args: Parameters<Type>,
  options: WorkflowStart['options'],
): WorkflowStart => ({ type, args, options });

/**
 * A kind of work: a table whose rows each have a workflow that carries them to their end. The dispatcher starts the workflow after
 * the commit that made the row. The sweep starts what was left behind. Both are written once, over this.
 *
 * The table has these columns beside those that `columns` reads: `sweep_at`, when the sweep looks at the row, null once it is
 * finished; `in_progress`, generated from it; `sweeps`, how often the sweep has looked.
 */
export type Work<Row extends WorkRow = WorkRow> = {
  /** The name in log lines. */
  kind: string;
  table: string;
  /** The columns of a `Row`. */
  columns: (sql: Sql) => Fragment;
  /** Selects the ids of the next overdue rows and locks them `for update skip locked`. The oldest rows when not given. */
  selectOverdue?: (sql: Sql, limit: number) => Fragment;
  /** A condition under which a lost workflow is followed by another; no other process may have been first in any case. */
  isSameRun?(sql: Sql, row: Row): Fragment;
  workflowId(row: Row): string;
  start(row: Row, mode: StartMode): WorkflowStart;
  /** Who waits for its turn when many are to be started. */
  lane(row: Row): Lane;
  /**
   * The name of the signal that tells a workflow of this kind that there is something new for its row; see `Transaction.wake`. The table then has
   * a column `woken`, which the workflow's activity clears in the transaction that reads what is new.
   */
  wakeSignal?(row: Row): string;
  /** Whether the start of a row's workflow waits until few of its account have not looked yet; see `FirstLooks`. */
  isPaced?: boolean;
  /** Whether its workflow may make an attempt inside its first task, for which `FirstAttempts` has a bounded number of places. */
  hasFirstAttempt?(row: Row): boolean;
};

/** Makes the first attempts of a kind of work without a workflow. */
export type Straight<Row extends WorkRow = WorkRow> = {
  work: Work<Row>;
  /** A row may be sent so only within so many ms of its commit: later it is the sweep's. */
  withinMs: number;
  takes(row: Row): boolean;
  /** Whether it is at this row now, or has sent it and not recorded that yet. */
  holds(row: Row): boolean;
  /**
   * Sends a row as soon as there is a place for it. What finds none for long is left to the sweep. `committedMs` is by the monotonic clock.
   */
  send(row: Row, committedMs: number): Promise<void>;
};

/** A row and its kind of work. Only `asItem` and `asWake` make it: they know that the two fit. */
export type WorkItem = {
  work: Work;
  row: WorkRow;
  /** Signals the workflow that there is something new for it, and starts it where there is none. */
  wakes?: boolean;
};

export const asItem = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem => ({ work, row });

/** Of a kind with a `wakeSignal`. */
export const asWake = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem => ({ work, row, wakes: true });
