import { Gauge, type Registry } from 'prom-client';
import { withDeadline } from '../shared/platform/deadline.ts';
import type { Installation } from './installation-numbers.ts';

/** The sources of the gauges, which are read at each scrape. */
export type GaugeSources = {
  /** Rejects when the database is away. May never settle when it hangs. */
  installation: () => Promise<Installation>;
  /** Whether database and Temporal answer now, each within two seconds. */
  databaseAnswers: () => Promise<boolean>;
  temporalAnswers: () => Promise<boolean>;
  /** The task queues that this process serves while its workers run. */
  queues: readonly string[];
  workersRunning: () => boolean;
  /** Workflows that wait for their start in this process, or are being started. */
  dispatchesWaiting: () => number;
  /** Workflows of finished deliveries that wait for their start. */
  spareStartsWaiting: () => number;
  /** Transactions that wait for a slot among those under way. */
  writesWaiting: () => number;
  /** Whether all starts of this process have failed for a while. */
  startsFailing: () => boolean;
};

/** A source that takes longer is left out of the scrape, in ms. Prometheus gives up the whole scrape after ten seconds. */
const readDeadlineMs = 3_000;

type Series = { labels?: Record<string, string>; value: number };

/** Adds the gauges to a registry. A gauge has no value while its source is away, because an old value would be wrong. */
export const registerGauges = (registry: Registry, sources: GaugeSources): void => {
  const gauge = (name: string, help: string, labelNames: string[], read: () => Promise<Series[]>): void => {
    const made = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        this.reset();
        const series = await read().catch(() => []);
        // A reset gauge without labels has the value 0, which would be wrong when the source could not be read.
        if (series.length === 0 && labelNames.length === 0) this.remove();
        for (const { labels = {}, value } of series) this.set(labels, value);
      },
    });
    registry.registerMetric(made);
  };
  const one = async (value: number | boolean | Promise<number | boolean>): Promise<Series[]> => [
    { value: Number(await value) },
  ];

  const read = sharingOneRead(sources.installation);
  const installed = (name: string, help: string, value: (numbers: Installation) => number): void =>
    gauge(name, help, [], async () => one(value((await read()).numbers)));
  const counted = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    rows: (numbers: Installation) => ({ count: number } & Record<Label, string>)[],
  ): void =>
    gauge(name, help, [label], async () =>
      rows((await read()).numbers).map((row) => ({ labels: { [label]: row[label] }, value: row.count })),
    );

  counted(
    'parley_deliveries_unfinished',
    'Deliveries that are pending, retrying or parked; 10001 is that many or more',
    'status',
    ({ unfinished }) => unfinished,
  );
  installed(
    'parley_deliveries_overdue_seconds',
    'How long the delivery that is most overdue should have been attempted',
    ({ deliveriesOverdueSeconds }) => deliveriesOverdueSeconds,
  );
  installed('parley_mails_unfinished', 'Mails that are still to be sent', ({ mailsUnfinished }) => mailsUnfinished);
  installed(
    'parley_mails_overdue_seconds',
    'Age of the oldest mail that is still to be sent',
    ({ mailsOverdueSeconds }) => mailsOverdueSeconds,
  );
  installed(
    'parley_messages_queued',
    'Messages to contacts that are still to be sent',
    ({ messagesQueued }) => messagesQueued,
  );
  installed(
    'parley_messages_overdue_seconds',
    'How long the conversation that is most overdue should have been looked after',
    ({ messagesOverdueSeconds }) => messagesOverdueSeconds,
  );
  installed('parley_runs_open', 'Runs of flows that are running or waiting', ({ runsOpen }) => runsOpen);
  installed(
    'parley_runs_overdue_seconds',
    'How long the run that is most overdue should have been looked after',
    ({ runsOverdueSeconds }) => runsOverdueSeconds,
  );
  installed(
    'parley_run_chains_guarded',
    'First runs that have caused too many others in the last hour, of which some were not begun',
    ({ runChainsGuarded }) => runChainsGuarded,
  );
  installed(
    'parley_runs_backlog',
    'Runs that wait for their first step, of the account with the most, where more than usual begin',
    ({ runsBacklog }) => runsBacklog,
  );
  installed(
    'parley_origins_open',
    'Origins that External Requests of an account call no more for a while, because they fail',
    ({ originsOpen }) => originsOpen,
  );
  installed(
    'parley_statistics_overdue_seconds',
    'How long the oldest hour that is not rolled up into statistics should have been',
    ({ statisticsOverdueSeconds }) => statisticsOverdueSeconds,
  );
  counted(
    'parley_webhooks',
    'Webhooks, by whether they are active, disabled for failures, or unverified',
    'state',
    ({ webhooks }) => webhooks,
  );
  counted(
    'parley_database_connections',
    "Connections to Parley's database, of all processes, by state",
    'state',
    ({ connections }) => connections,
  );
  installed(
    'parley_database_connections_limit',
    'Connections that PostgreSQL takes, of all databases',
    ({ connectionsLimit }) => connectionsLimit,
  );
  gauge(
    'parley_database_read_seconds',
    'Time that these numbers took, the wait for a connection included',
    [],
    async () => one((await read()).seconds),
  );
  gauge('parley_database_up', 'Whether PostgreSQL answers this process', [], () => one(sources.databaseAnswers()));
  gauge('parley_temporal_up', 'Whether Temporal answers this process, with a namespace that takes workflows', [], () =>
    one(sources.temporalAnswers()),
  );
  gauge('parley_starts_up', 'Whether workflows can be started: 0 while all starts of this process fail', [], () =>
    one(!sources.startsFailing()),
  );
  gauge('parley_workers_up', "Whether this process's workers run, by the queue they serve", ['task_queue'], async () =>
    sources.queues.map((queue) => ({ labels: { task_queue: queue }, value: Number(sources.workersRunning()) })),
  );
  gauge(
    'parley_dispatch_waiting',
    'First attempts and starts of workflows that wait or are in progress in this process',
    [],
    () => one(sources.dispatchesWaiting()),
  );
  gauge(
    'parley_spare_starts_waiting',
    'Workflows of finished deliveries that wait for their start in this process',
    [],
    () => one(sources.spareStartsWaiting()),
  );
  gauge(
    'parley_writes_waiting',
    'Writes that wait in this process, because others of their account are in progress',
    [],
    () => one(sources.writesWaiting()),
  );
};

/**
 * Lets the gauges of one scrape share a read. No other read begins while one is under way; otherwise those of a hanging database would all run
 * at once when it is back.
 */
const sharingOneRead = (installation: () => Promise<Installation>) => {
  let underWay: Promise<{ numbers: Installation; seconds: number }> | undefined;
  const read = async () => {
    const since = performance.now();
    const numbers = await installation();
    return { numbers, seconds: (performance.now() - since) / 1000 };
  };
  return () => {
    const shared = (underWay ??= read().finally(() => (underWay = undefined)));
    return withDeadline(readDeadlineMs, 'reading the numbers of the installation', () => shared);
  };
};
