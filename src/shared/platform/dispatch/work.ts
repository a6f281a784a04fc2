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

/** How a workflow is started. */
export type StartMode = {
  /** Whether a worker of this process can take its first task at once. */
  eager: boolean;
  /** Whether every process that can get the workflow knows all that this version gives it; see `readSettlingMs`. */
  settled: boolean;
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
  /**
   * Selects the ids of the next overdue rows and locks them `for update skip locked`. The oldest rows when not given. `beforeWorkflows`: only rows
   * whose first attempt an outbox is to make.
   */
  selectOverdue?: (sql: Sql, options: { limit: number; beforeWorkflows: boolean }) => Fragment;
  /** What a claim answers of a row beside its columns. `old` is the row before it. */
  claimColumns?(sql: Sql): Fragment;
  /** What a claim of overdue rows sets, `sweep_at` among it; 20 s later when not given. */
  lease?(sql: Sql): Fragment;
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
  /** Makes rows overdue whose process is gone, for the kinds that a process holds before they have workflows. */
  releaseGone?(sql: Sql): Promise<unknown>;
};

/** Makes the first attempts of a kind of work, before its rows have workflows. */
export type Outbox<Row extends WorkRow = WorkRow> = {
  work: Work<Row>;
  /** Whether the first attempt of this row is still to be made, and by an outbox. */
  takes(row: Row): boolean;
  /** Whether this process is at the row now, or has sent it and not recorded that yet. */
  holds(row: Row): boolean;
  /** Whether another process may have sent the row that this one has claimed, and handed its outcome to a workflow. */
  mayHaveBeenSent(row: Row): boolean;
  /** Whether few enough rows of its lane wait here for one more of the sweep. */
  hasRoom(row: Row): boolean;
  /** Makes the first attempt when the row's lane has a slot. Resolves when that is recorded, or the row is given back. Never rejects. */
  send(row: Row): Promise<void>;
  /** Leaves rows, of which nothing was sent, to the sweep of any process, which finds them at once. */
  giveBack(rows: readonly Row[]): void;
};

/** A row and its kind of work. Only `asItem` and `asWake` make it: they know that the two fit. */
export type WorkItem = {
  work: Work;
  row: WorkRow;
  /** Sends this signal to the workflow, and starts it where there is none. */
  signal?: string;
};

export const asItem = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem => ({ work, row });

/** Of a kind with a `wakeSignal`. */
export const asWake = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem =>
  asSignal(work, row, work.wakeSignal?.(row) ?? 'wake');

/** An item whose workflow is sent a signal, and started where there is none. */
export const asSignal = <Row extends WorkRow>(work: Work<Row>, row: Row, signal: string): WorkItem => ({
  work,
  row,
  signal,
});
