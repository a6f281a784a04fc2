import { cancellationSignal } from '@temporalio/activity';
import type { Database } from '../shared/platform/db/connect.ts';
import type { Logger } from '../shared/platform/log.ts';
import { applyRetention as apply, type RetentionReport } from '../shared/retention/apply.ts';

export type RetentionDeps = { db: Database; retentionDays: number; log: Logger };

/** Removes what is older than this process's `RETENTION_DAYS`. Idempotent: a second run removes what the first one left. It stops when cancelled. */
export const applyRetention =
  ({ db, retentionDays, log }: RetentionDeps) =>
  async (): Promise<RetentionReport> => {
    const report = await apply(db, { retentionDays, signal: cancellationSignal() });
    log.info(report, 'retention.applied');
    return report;
  };
