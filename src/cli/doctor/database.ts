import type { Sql } from '../../shared/platform/db/connect.ts';
import { listMigrations } from '../../shared/platform/db/migrate.ts';
import { listOldWeeks } from '../../shared/retention/weeks.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

const part = 'PostgreSQL';
/** Maintenance makes partitions five weeks ahead. With less than a week left, something keeps it from doing so. */
const weeksAhead = 3;
const clockDifference = { warningMs: 1_000, wrongMs: 60_000 };

/** Version, schema, partitions and clock of the database; rejects when it cannot be reached. */
export const examineDatabase = async (sql: Sql): Promise<Finding[]> => {
  const [server] = await sql<[{ version: string; number: number }]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number`;
  const version =
    server.number >= 180_000
      ? ok(part, `version ${server.version}`)
      : wrong(part, `version ${server.version} is too old`, 'upgrade to PostgreSQL 18');
  const schema = await examineMigrations(sql);
  const inside = schema.state === 'wrong' ? [] : await examinePartitions(sql);
  return [version, schema, ...inside, await examineClock(sql)];
};

const examineMigrations = async (sql: Sql): Promise<Finding> => {
  const files = await listMigrations();
  const [found] = await sql<[{ there: boolean }]>`select to_regclass('migrations') is not null as there`;
  const applied = found.there ? await sql<{ name: string }[]>`select name from migrations` : [];
  const names = applied.map(({ name }) => name);
  const missing = files.filter((file) => !names.includes(file));
  const unknown = names.filter((name) => !files.includes(name));
  if (missing.length > 0) {
    return wrong('Migrations', `not applied: ${missing.join(', ')}`, 'start the service of this version to apply them');
  }
  return unknown.length > 0
    ? warning(
        'Migrations',
        `from a newer version: ${unknown.join(', ')}`,
        'run doctor from the version of the running service',
      )
    : ok('Migrations', `all ${files.length} applied`);
};

/** The default partitions that have rows, which belong to no week. */
const listStrays = async (sql: Sql): Promise<string[]> => {
  const defaults = await sql<{ name: string }[]>`select log || '_default' as name from partitioned_logs() order by log`;
  const strays: string[] = [];
  for (const { name } of defaults) {
    const rows = await sql`select from ${sql(name)} limit 1`;
    if (rows.length > 0) strays.push(name);
  }
  return strays;
};

const examinePartitions = async (sql: Sql): Promise<Finding[]> => {
  const missing = await sql<{ name: string }[]>`
    select log || to_char(week, '_YYYYMMDD') as name
    from partitioned_logs(),
      generate_series(date_trunc('week', now(), 'UTC'), now() + make_interval(weeks => ${weeksAhead}), interval '7 days') week
    where to_regclass(log || to_char(week, '_YYYYMMDD')) is null`;
  const strays = await listStrays(sql);
  return [
    missing.length === 0
      ? ok('Partitions', `created for the next ${weeksAhead} weeks`)
      : wrong(
          'Partitions',
          `missing: ${missing.map(({ name }) => name).join(', ')}`,
          'start the service, which creates them every hour',
        ),
    ...(strays.length === 0
      ? []
      : [
          warning(
            'Partitions',
            `rows outside all weeks in ${strays.join(', ')}; retention deletes them row by row`,
            'check the clocks of the machines',
          ),
        ]),
  ];
};

/** Times that are compared are the database's. Certificates, session limits and the challenge's signature go by this machine's clock. */
const examineClock = async (sql: Sql): Promise<Finding> => {
  const askedAt = Date.now();
  const [{ now }] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const answeredAt = Date.now();
  const differenceMs = Math.max(0, askedAt - now.getTime(), now.getTime() - answeredAt);
  const message = `${differenceMs} ms between this machine and the database`;
  const remedy = 'run a time service (chrony, systemd-timesyncd) on both machines';
  if (differenceMs > clockDifference.wrongMs) return wrong('Clock', message, remedy);
  return differenceMs > clockDifference.warningMs ? warning('Clock', message, remedy) : ok('Clock', message);
};

/** Retention runs once a day, so weeks that are overdue for longer were left more than once. */
const daysPastDue = 2;

/** Finds weeks of the log that should have gone days ago. Each run logs why it left them. */
export const examineOldWeeks = async (sql: Sql, retentionDays: number): Promise<Finding> => {
  const weeks = await listOldWeeks(sql, retentionDays + daysPastDue);
  const [oldest] = weeks;
  if (!oldest) return ok('Retention', `no week of the log is overdue; retention keeps ${retentionDays} days`);
  const rounds = weeks.reduce((sum, { roundsInProgress }) => sum + roundsInProgress, 0);
  const kept = weeks.filter(({ roundsInProgress }) => roundsInProgress > 0).length;
  const why = kept > 0 ? `; ${rounds} rounds in progress keep ${kept} of them` : '';
  return warning(
    'Retention',
    `${weeks.length} weeks of the log, the oldest from ${oldest.week}, are more than ${daysPastDue} days overdue for removal (RETENTION_DAYS ${retentionDays})${why}`,
    'if no process is running, give doctor the RETENTION_DAYS of the service; otherwise end the rounds in progress, or the transaction that locks the log each night (weeksInUse in the log line retention.applied)',
  );
};
