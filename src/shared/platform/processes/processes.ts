import type { Sql } from '../db/connect.ts';
import { processSettings, type ProcessSettings } from './settings.ts';

/** A process's report, which `doctor` judges instead of the settings of its own shell. */
export type Process = {
  /** New at each start. `/health/ready` shows it, so that `doctor` recognizes the process that answers. */
  id: string;
  host: string;
  pid: number;
  version: string;
  /** Whether it serves the API, and the task queues that it works on. */
  roles: readonly string[];
  settings: ProcessSettings;
};

export type ProcessAtWork = Process & { ageSeconds: number };

/** Longer than the pause between reports, so that a process that stalls is not missed at once. */
const atWorkSeconds = 60;
/** Long enough for a running `doctor` to recognize a process that has stopped. */
const rememberedMinutes = 60;
const listedAtMost = 500;

/** Reports the process, again and again, because a report counts for a minute. */
export const reportProcess = async (sql: Sql, process: Process): Promise<void> => {
  const { id, host, pid, version, roles, settings } = process;
  await sql`
    insert into processes (id, host, pid, version, roles, settings)
    values (${id}, ${host}, ${pid}, ${version}, ${[...roles]}, ${sql.json(settings)})
    on conflict (id) do update set seen_at = excluded.seen_at`;
};

/** Deletes the row of a process that ends. */
export const deleteProcess = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from processes where id = ${id}`;
};

/** Deletes the rows that killed processes have left. */
export const deleteProcessesGone = async (sql: Sql): Promise<void> => {
  await sql`delete from processes where seen_at < clock_timestamp() - make_interval(mins => ${rememberedMinutes})`;
};

/** The processes at work, the latest start first. */
export const listProcesses = async (sql: Sql): Promise<ProcessAtWork[]> => {
  const rows = await sql<(Omit<ProcessAtWork, 'settings'> & { settings: unknown })[]>`
    select id, host, pid, version, roles, settings, extract(epoch from clock_timestamp() - started_at)::float8 as age_seconds
    from processes where seen_at > clock_timestamp() - make_interval(secs => ${atWorkSeconds})
    order by started_at desc limit ${listedAtMost}`;
  return rows.map((row) => ({ ...row, settings: processSettings.parse(row.settings) }));
};

/** Whether the process is one of this installation. */
export const knowsProcess = async (sql: Sql, id: string): Promise<boolean> => {
  const found = await sql`select from processes where id = ${id}`;
  return found.length > 0;
};
