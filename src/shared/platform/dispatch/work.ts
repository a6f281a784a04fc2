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

/** How a workflow is started: eagerly where a worker of this process can take its first task at once. */
export type StartMode = {
  eager: boolean;
  firstAttempt: 'local' | 'ordinary';
  /** Whether only processes that read failed attempts can get it; see `readSettlingMs`. */
  visible: boolean;
};

/** A workflow as Temporal is asked for it, but for its id, which no two runs share. */
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
 * A kind of work: rows of which each has a workflow that carries it to its end. The dispatcher starts the workflow after the
 * commit that made the row, and the sweep starts what was left behind; both are written once, over this.
 *
 * The table has, beside what `columns` reads: `sweep_at`, when the sweep looks at the row, null once it is finished;
 * `sweeps`, how often it has looked; `resumes`.
 */
export type Work<Row extends WorkRow = WorkRow> = {
  /** Stands in logs. */
  kind: string;
  table: string;
  /** The columns of a `Row`. */
  columns: (sql: Sql) => Fragment;
  /** The query of the ids of the next overdue rows, which it locks, passing over those that others have; the oldest when not given. */
  selectOverdue?: (sql: Sql, limit: number) => Fragment;
  /** What must hold for a lost workflow to be followed by another, beside that no other process was first. */
  isSameRun?(sql: Sql, row: Row): Fragment;
  workflowId(row: Row): string;
  start(row: Row, mode: StartMode): WorkflowStart;
  /** In whose turn it is started. */
  lane(row: Row): Lane;
  /**
   * The signal that tells a workflow of this kind that there is something new for its row: see `Transaction.wake`. Its table has the
   * column `woken`, which the workflow's own activity clears in the transaction that reads what is new.
   */
  wakeSignal?: string;
  /** Whether its workflow may begin with an attempt inside its first task, for which the process has a bounded number of places. */
  hasFirstAttempt?(row: Row): boolean;
};

/** A row to be carried, with its kind; made by `asItem` and `asWake` alone, which know that they fit. */
export type WorkItem = {
  work: Work;
  row: WorkRow;
  /** The workflow is told that there is something new for it, and started where it is not there. */
  wakes?: boolean;
};

export const asItem = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem => ({ work, row });

/** Of a kind with a `wakeSignal`. */
export const asWake = <Row extends WorkRow>(work: Work<Row>, row: Row): WorkItem => ({ work, row, wakes: true });
