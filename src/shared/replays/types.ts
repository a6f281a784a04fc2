import type { UnmetPrecondition } from '../webhooks/preconditions.ts';

export const replayStatuses = ['running', 'paused', 'finished', 'cancelled'] as const;

export type ReplayStatus = (typeof replayStatuses)[number];

/** Why a replay stopped by itself. */
export type StopReason = UnmetPrecondition;

/** How far a replay is: `total` was counted when it was made (see count.ts); skipped were being sent already or have nowhere to go. */
export type ReplayProgress = { total: number; replayed: number; skipped: number };

/** The input of the workflow replayDeliveries: a TypeID, and which of the replay's workflows it is, counted from 0. */
export type ReplayDeliveries = { replayId: string; resumes: number };

/** What the workflow is told after a batch, or after it had the replay stopped; `superseded` by a later workflow of the same replay. */
export type BatchResult = ReplayProgress & { type: 'more' | Exclude<ReplayStatus, 'running'> | 'superseded' };

/** The workflow replayDeliveries. */
export type ReplayDeliveriesWorkflow = (replay: ReplayDeliveries) => Promise<BatchResult['type']>;
