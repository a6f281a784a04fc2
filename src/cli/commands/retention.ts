import type { Command } from 'commander';
import { retentionDays } from '../../shared/platform/config.ts';
import { applyRetention } from '../../shared/retention/apply.ts';
import { listOldWeeks } from '../../shared/retention/weeks.ts';
import { fields, table, type Answer } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';
import { UsageError } from '../failure.ts';
import { by } from '../options.ts';

type RunOptions = { days?: number; dryRun?: boolean };

/** parley retention run */
export const retentionCommands = (program: Command, deps: CommandDeps): void => {
  program
    .command('retention')
    .description('removal of old events, deliveries and attempts')
    .command('run')
    .description('remove them now, as the service does once a day')
    .option('--days <number>', 'keep this many days; RETENTION_DAYS unless given', by(retentionDays))
    .option('--dry-run', 'only list the weeks of the log that would be removed')
    .action(deps.answer((options: RunOptions) => (options.dryRun ? list(deps, options) : run(deps, options))));
};

const run = async ({ env, useInstallation }: CommandDeps, { days }: RunOptions): Promise<Answer> => {
  // The service may keep more than the default, and what is dropped here is gone.
  if (days === undefined && !env['RETENTION_DAYS']) {
    throw new UsageError('Set how many days to keep with --days or RETENTION_DAYS.');
  }
  return useInstallation(async ({ config, db }) => {
    const kept = days ?? config.retentionDays;
    const report = await applyRetention(db, { retentionDays: kept });
    return {
      document: {
        retention_days: kept,
        weeks_dropped: report.weeksDropped,
        deliveries_dropped: report.deliveriesDropped,
        bytes_freed: report.bytesFreed,
        weeks_in_progress: report.weeksInProgress,
        rounds_in_progress: report.roundsInProgress,
        weeks_in_use: report.weeksInUse,
        rows_deleted: report.rowsDeleted,
      },
      text: fields({
        'Older than': `${kept} days`,
        'Weeks dropped': report.weeksDropped,
        'Deliveries in them': `about ${report.deliveriesDropped}`,
        'Disk freed': sayBytes(report.bytesFreed),
        'Weeks kept, in progress': `${report.weeksInProgress}, with ${report.roundsInProgress} rounds`,
        'Weeks kept, in use': report.weeksInUse,
        'Other rows deleted': report.rowsDeleted,
      }),
      // The command was to remove these weeks now, and could not.
      failed: report.weeksInUse > 0,
    };
  });
};

const list = ({ useInstallation }: CommandDeps, { days }: RunOptions): Promise<Answer> =>
  useInstallation(async ({ config, db }) => {
    const kept = days ?? config.retentionDays;
    const weeks = await listOldWeeks(db, kept);
    return {
      document: {
        retention_days: kept,
        weeks: weeks.map(({ week, deliveries, bytes, roundsInProgress }) => ({
          week,
          deliveries,
          bytes,
          rounds_in_progress: roundsInProgress,
        })),
      },
      text: table(
        {
          'WEEK OF': 'week',
          DELIVERIES: ({ deliveries }) => `about ${deliveries}`,
          DISK: ({ bytes }) => sayBytes(bytes),
          'WOULD BE': ({ roundsInProgress: rounds }) =>
            rounds === 0 ? 'dropped' : `kept: ${rounds} rounds in progress`,
        },
        weeks,
        `No week is older than ${kept} days.`,
      ),
    };
  });

const sayBytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
