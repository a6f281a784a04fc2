import type { Workflow, WorkflowStartOptions } from '@temporalio/client';
import type { Lane } from '../bulkhead/bulkhead.ts';
import type { Fragment, Sql } from '../db/connect.ts';

/** What every row of work has; ids are UUIDs. */
export type WorkRow = {
  id: string;
  accountId: string;
  /** The row's earlier workflows, which were lost or paused. */
  resumes: number;
};

export type StartMode = {
  /** Whether a worker of this process can take the first task at once. */
  eager: boolean;
  /** Whether every process that may get the workflow understands this version's input; see `readSettlingMs`. */
  settled: boolean;
  /** For how long the start has waited since the commit that asked for it; none when not given. */
  waitedMs?: number;
};

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
 * A kind of work: a table whose rows each have a workflow that carries them to their end. Dispatcher and sweep are written once, over all kinds.
 * Beside `columns`, the table has `sweep_at`, the time of the next sweep, null for a finished row; `in_progress`, generated from it; and
 * `sweeps`, their number.
 */
export type Work<Row extends WorkRow = WorkRow> = {
  /** The name in log lines. */
  kind: string;
  table: string;
  /** The columns of a `Row`. */
  columns: (sql: Sql) => Fragment;
  /** Selects the next overdue rows, the oldest by default, and locks them `for update skip locked`; see `claimOverdue`. */
  selectOverdue?: (sql: Sql, options: { limit: number; beforeWorkflows: boolean }) => Fragment;
  /** Further columns that a claim answers; `old` is the row before it. */
  claimColumns?(sql: Sql): Fragment;
  /** Columns that a claim sets, `sweep_at` among them; by default it lies 20 s ahead. */
  lease?(sql: Sql): Fragment;
  /** A condition under which a lost workflow gets a successor. */
  isSameRun?(sql: Sql, row: Row): Fragment;
  workflowId(row: Row): string;
  start(row: Row, mode: StartMode): WorkflowStart;
  lane(row: Row): Lane;
  /** The signal of `Transaction.wake`. The table has a column `woken`, which the activity clears in the transaction that reads what is new. */
  wakeSignal?(row: Row): string;
  /** Whether `FirstPasses` paces the start of a row, because its workflow begins with work of the process that it starts in. */
  isPaced?(row: Row): boolean;
  /** Makes rows overdue whose process is gone. */
  releaseGone?(sql: Sql): Promise<unknown>;
};

/** Makes the first attempts of a kind of work, before its rows have workflows. */
export type Outbox<Row extends WorkRow = WorkRow> = {
  work: Work<Row>;
  /** Whether an outbox is still to make the row's first attempt. */
  takes(row: Row): boolean;
  /** Whether this process sends or records the row now. */
  holds(row: Row): boolean;
  /** Whether another process may have sent the claimed row, and handed its outcome to a workflow. */
  mayHaveBeenSent(row: Row): boolean;
  /** Whether the row's lane has room for one more of the sweep. */
  hasRoom(row: Row): boolean;
  /** Makes the first attempt once the row's lane has a slot. Resolves when the outcome is recorded or the row is given back; never rejects. */
  send(row: Row): Promise<void>;
  /** Leaves unsent rows to the sweep of any process, at once. */
  giveBack(rows: readonly Row[]): void;
};

/** The outbox that is to make the first attempt of an item's row. */
export const outboxOf = (outboxes: readonly Outbox[], { work, row }: WorkItem): Outbox | undefined =>
  outboxes.find((outbox) => outbox.work === work && outbox.takes(row));

/** A row and its kind, which fit together because only `asItem`, `asWake` and `asSignal` make items. */
export type WorkItem = {
  work: Work;
  row: WorkRow;
  /** Sent to the workflow, which is started where none runs. */
  signal?: string;
  /** Whether its row is finished, so that only operators look at the workflow, which starts while the machine has room. */
  isSpare?: boolean;
};

export const asItem = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem => ({ work, row });

/** Of a kind with a `wakeSignal`. */
export const asWake = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem =>
  asSignal(work, row, work.wakeSignal?.(row) ?? 'wake');

/** An item that signals its workflow, or starts it with the signal. */
export const asSignal = <Row extends WorkRow>(work: Work<Row>, row: Row, signal: string): WorkItem => ({
  work,
  row,
  signal,
});
