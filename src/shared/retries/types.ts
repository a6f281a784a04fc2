export const retryStatuses = ['running', 'paused', 'finished', 'cancelled'] as const;

export type RetryStatus = (typeof retryStatuses)[number];

export const retryStopReasons = ['flow_paused', 'flow_archived', 'version_gone'] as const;

/** Why a bulk retry stopped by itself. */
export type RetryStopReason = (typeof retryStopReasons)[number];

/** How far a bulk retry is: `total` was counted when it was made (replays/count.ts); refused ones could not go on. */
export type RetryProgress = { total: number; retried: number; refused: number };

/** The input of the workflow retryRuns: a TypeID, and which of the retry's workflows it is, counted from 0. */
export type RetryRuns = { retryId: string; resumes: number };

/** The answer to the workflow after a batch, or after it had the retry stopped; `superseded` by a later workflow of the same retry. */
export type RetryResult = RetryProgress & { type: 'more' | Exclude<RetryStatus, 'running'> | 'superseded' };

/** The workflow retryRuns. */
export type RetryRunsWorkflow = (retry: RetryRuns) => Promise<RetryResult['type']>;
