import type { Command } from 'commander';
import { applyRetention } from '../../shared/retention/apply.ts';
import { listOldWeeks } from '../../shared/retention/weeks.ts';
import { fields, table, type Answer } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';

/** parley retention run */
export const retentionCommands = (program: Command, deps: CommandDeps): void => {
  program
    .command('retention')
    .description('what is older than RETENTION_DAYS')
    .command('run')
    .description('remove it now, as the service does once a day')
    .option('--dry-run', 'only list the weeks of the log that would go')
    .action(deps.answer(({ dryRun = false }: { dryRun?: boolean }) => (dryRun ? list(deps) : run(deps))));
};

const run = ({ useInstallation }: CommandDeps): Promise<Answer> =>
  useInstallation(async ({ config: { retentionDays }, db }) => {
    const report = await applyRetention(db, { retentionDays });
    return {
      document: {
        retention_days: retentionDays,
        weeks_dropped: report.weeksDropped,
        deliveries_dropped: report.deliveriesDropped,
        bytes_freed: report.bytesFreed,
        weeks_in_progress: report.weeksInProgress,
        rounds_in_progress: report.roundsInProgress,
        weeks_in_use: report.weeksInUse,
        rows_deleted: report.rowsDeleted,
      },
      text: fields({
        'Weeks dropped': report.weeksDropped,
        'Deliveries in them': `about ${report.deliveriesDropped}`,
        'Disk freed': sayBytes(report.bytesFreed),
        'Weeks kept, in progress': `${report.weeksInProgress}, with ${report.roundsInProgress} rounds`,
        'Weeks kept, in use': report.weeksInUse,
        'Other rows deleted': report.rowsDeleted,
      }),
      // Asked to remove it now, it did not.
      failed: report.weeksInUse > 0,
    };
  });

const list = ({ useInstallation }: CommandDeps): Promise<Answer> =>
  useInstallation(async ({ config: { retentionDays }, db }) => {
    const weeks = await listOldWeeks(db, retentionDays);
    return {
      document: {
        retention_days: retentionDays,
        weeks: weeks.map(({ week, deliveries, bytes, roundsInProgress }) => ({
          week,
          deliveries,
          bytes,
          rounds_in_progress: roundsInProgress,
        })),
      },
      text: table(
        ['WEEK OF', 'DELIVERIES', 'DISK', 'WOULD BE'],
        weeks.map(({ week, deliveries, bytes, roundsInProgress }) => [
          week,
          `about ${deliveries}`,
          sayBytes(bytes),
          roundsInProgress === 0 ? 'dropped' : `kept: ${roundsInProgress} rounds in progress`,
        ]),
        `No week is older than ${retentionDays} days.`,
      ),
    };
  });

const sayBytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
