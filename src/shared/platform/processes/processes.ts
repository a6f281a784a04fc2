import type { Sql } from '../db/connect.ts';
import { processSettings, type ProcessSettings } from './settings.ts';

/** A process at work, as it tells of itself: what `doctor` judges instead of the shell that it runs in. */
export type Process = {
  /** Made anew at each start; `/health/ready` tells it, so that who answers there is known. */
  id: string;
  host: string;
  pid: number;
  version: string;
  /** Whether it serves the API, and the task queues that it works on. */
  roles: readonly string[];
  settings: ProcessSettings;
};

export type ProcessAtWork = Process & { ageSeconds: number };

/** Each process is seen four times in it. */
const atWorkSeconds = 60;
/** A doctor that runs just then still recognises who answers. */
const rememberedMinutes = 60;
/** More processes than this are not looked at. */
const listedAtMost = 500;

/** Says that the process is at work; again and again, for its row counts for a minute only. */
export const reportProcess = async (sql: Sql, process: Process): Promise<void> => {
  const { id, host, pid, version, roles, settings } = process;
  await sql`
    insert into processes (id, host, pid, version, roles, settings)
    values (${id}, ${host}, ${pid}, ${version}, ${[...roles]}, ${sql.json(settings)})
    on conflict (id) do update set seen_at = excluded.seen_at`;
};

/** A process that ends is gone at once. */
export const deleteProcess = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from processes where id = ${id}`;
};

/** Deletes what killed processes have left. */
export const deleteProcessesGone = async (sql: Sql): Promise<void> => {
  await sql`delete from processes where seen_at < clock_timestamp() - make_interval(mins => ${rememberedMinutes})`;
};

/** The processes at work, the latest start first; of version 0.2 there are none, which tell nothing. */
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
