import type { Client } from '@temporalio/client';
import { deleteSessionsOver } from '../shared/accounts/sessions.ts';
import { forgetNetworks } from '../shared/accounts/sign-in.ts';
import { deleteOldIdempotencyKeys } from '../shared/platform/idempotency/keys.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { completeLogIndexes } from '../shared/platform/db/log-indexes.ts';
import { createLogPartitions } from '../shared/platform/db/migrate.ts';
import { completeTableIndexes } from '../shared/platform/db/table-indexes.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
import type { Sweep } from '../shared/platform/dispatch/sweep.ts';
import type { Logger } from '../shared/platform/log.ts';
import { startPeriodic } from '../shared/platform/periodic.ts';
import { expireHandovers } from '../shared/handovers/end.ts';
import { foldInboxCounts } from '../shared/inbox/fold-counts.ts';
import { forgetAlbumParts } from '../shared/messages/channels/arrivals/album-parts.ts';
import { removeMedia } from '../shared/media/remove-media.ts';
import type { MediaStore } from '../shared/media/store.ts';
import { mailVisitors } from '../shared/notifications/mail-visitors.ts';
import { mailUnseen } from '../shared/notifications/mail-unseen.ts';
import { wakeSnoozed } from '../shared/messages/conversations/snooze.ts';
import { wakeByChangedClocks } from '../shared/runs/life/wake-by-clock.ts';
import { rollUpBlocks } from '../shared/runs/analytics/roll-up-blocks.ts';
import { rollUpActivity } from '../shared/statistics/roll-up-activity.ts';
import { rollUp } from '../shared/statistics/roll-up.ts';
import { tellLeftByPlan } from '../shared/replays/left-by-plan.ts';
import { forgetReports, noteReport } from '../shared/platform/processes/own-process.ts';
import { deleteProcessesGone, reportProcess, type Process } from '../shared/platform/processes/processes.ts';
import { registerSchedules } from '../shared/retention/schedule.ts';
import { deleteOldLinkTokens } from '../shared/users/link-tokens.ts';
import { cancelDeleted } from '../shared/deliveries/delete-webhook.ts';
import { forgetPreviousSecrets } from '../shared/signing/secrets.ts';

const sweepEveryMs = 5_000;
const cancelEveryMs = 5_000;
const expireEveryMs = 5_000;
const wakeEveryMs = 5_000;
const tellEveryMs = 30_000;
const reportEveryMs = 1_000;
const rollUpEveryMs = 60_000;
const tidyEveryMs = 3_600_000;

export type MaintenanceDeps = {
  db: Database;
  transact: EventTransact;
  /** The process itself. */
  process: Process;
  sweep: Sweep;
  store: MediaStore;
  /** How many days files of messages are kept; undefined: for good. */
  mediaRetentionDays?: number | undefined;
  /** Temporal's client while there is a connection, in a process whose workers run the schedules. */
  temporal: () => Client | undefined;
  log: Logger;
};

/**
 * What every process does beside its work. Every few seconds: the sweep, deliveries of deleted webhooks, handovers and snoozes whose time is over, mails
 * about messages that nobody has seen and to visitors who left, runs that wait by a clock which has changed, counts of the inbox, its own row. Now and then: log lines for plans that came back, the statistics of hours that are over, and the numbers of blocks. Every hour: partitions for the coming weeks, indexes to be built, old rows, the
 * schedules.
 */
export const startMaintenance = ({
  db,
  transact,
  process,
  sweep,
  store,
  mediaRetentionDays,
  temporal,
  log,
}: MaintenanceDeps) => {
  const sweeping = startPeriodic(sweep, { name: 'sweep', everyMs: sweepEveryMs, log });
  const cancelling = startPeriodic((signal) => cancelDeleted({ transact }, signal), {
    name: 'cancel_deleted',
    everyMs: cancelEveryMs,
    log,
  });
  const expiring = startPeriodic((signal) => expireHandovers({ db, transact }, signal), {
    name: 'expire_handovers',
    everyMs: expireEveryMs,
    log,
  });
  const wakingSnoozed = startPeriodic((signal) => wakeSnoozed({ transact }, signal), {
    name: 'wake_snoozed',
    everyMs: wakeEveryMs,
    log,
  });
  const mailing = startPeriodic((signal) => mailUnseen({ transact }, signal), {
    name: 'mail_unseen',
    everyMs: wakeEveryMs,
    log,
  });
  const mailingVisitors = startPeriodic((signal) => mailVisitors({ transact }, signal), {
    name: 'mail_visitors',
    everyMs: wakeEveryMs,
    log,
  });
  const foldingCounts = startPeriodic((signal) => foldInboxCounts(db, { signal }), {
    name: 'inbox_counts',
    everyMs: wakeEveryMs,
    log,
  });
  const waking = startPeriodic((signal) => wakeByChangedClocks({ db, transact }, signal), {
    name: 'wake_by_clock',
    everyMs: wakeEveryMs,
    log,
  });
  const telling = startPeriodic(() => tellLeftByPlan(db, log), { name: 'plans_back', everyMs: tellEveryMs, log });
  const reporting = startPeriodic(() => noteReport(() => reportProcess(db, process)), {
    name: 'report_process',
    everyMs: reportEveryMs,
    log,
  });
  const rollingUp = startPeriodic((signal) => rollUp(db, { signal }), {
    name: 'statistics',
    everyMs: rollUpEveryMs,
    log,
  });
  const rollingUpActivity = startPeriodic((signal) => rollUpActivity(db, { signal }), {
    name: 'statistics',
    everyMs: rollUpEveryMs,
    log,
  });
  const countingBlocks = startPeriodic((signal) => rollUpBlocks(db, { signal }), {
    name: 'block_numbers',
    everyMs: rollUpEveryMs,
    log,
  });
  // Each runs by itself, so that one that fails does not hold up the others.
  const hourly = (name: string, work: (signal: AbortSignal) => Promise<unknown>) =>
    startPeriodic(work, { name, everyMs: tidyEveryMs, log });
  const tidying = [
    hourly('log_partitions', () => createLogPartitions(db)),
    hourly('indexes', async (signal) => {
      await completeLogIndexes(db, signal);
      await completeTableIndexes(db, signal);
    }),
    hourly('previous_secrets', () => forgetPreviousSecrets(db)),
    hourly('idempotency_keys', () => deleteOldIdempotencyKeys(db)),
    // A Temporal that has lost its database answers as before, but has no schedule.
    hourly('schedules', async () => {
      const client = temporal();
      if (client) await registerSchedules(client);
    }),
    // What was cut off in the middle is done again.
    hourly('media', (signal) => removeMedia({ db, store, retentionDays: mediaRetentionDays }, signal)),
    hourly('album_parts', () => forgetAlbumParts(db)),
    hourly('sessions', () => deleteSessionsOver(db)),
    hourly('link_tokens', () => deleteOldLinkTokens(db)),
    hourly('user_networks', () => forgetNetworks(db)),
    hourly('processes', () => deleteProcessesGone(db)),
  ];
  const stop = async (): Promise<void> => {
    await Promise.all(
      [
        sweeping,
        cancelling,
        expiring,
        wakingSnoozed,
        mailing,
        mailingVisitors,
        foldingCounts,
        waking,
        telling,
        reporting,
        rollingUp,
        rollingUpActivity,
        countingBlocks,
        ...tidying,
      ].map((work) => work.stop()),
    );
    forgetReports();
  };
  return { stop };
};
