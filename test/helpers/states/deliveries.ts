import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of deliveries that no writer of the product makes, and why tests need them.

/** Time passes: the sweep's look at these deliveries has been due for so long. */
export const makeOverdue = async (
  sql: Sql,
  ids: string | readonly string[],
  { seconds = 1 }: { seconds?: number } = {},
): Promise<void> => {
  await sql`
    update deliveries set sweep_at = now() - make_interval(secs => ${seconds}) where id = any(${[ids].flat()}::uuid[])`;
};

/** Time passes: the sweep's look at every unfinished delivery and mail has been due for an hour. */
export const makeAllOverdue = async (sql: Sql): Promise<void> => {
  await sql`update deliveries set sweep_at = now() - interval '1 hour' where in_progress`;
  await sql`update mails set sweep_at = now() - interval '1 hour' where in_progress`;
};

/** Time passes: the next attempt is due in `inMs`, and the sweep looks at it in `lookInMs`; now when not given. */
export const makeDue = async (
  sql: Sql,
  id: string,
  { inMs = 0, lookInMs = 0 }: { inMs?: number; lookInMs?: number } = {},
): Promise<void> => {
  const from = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 ms'`;
  await sql`update deliveries set next_attempt_at = ${from(inMs)}, sweep_at = ${from(lookInMs)} where id = ${id}`;
};

/** Time passes: four more attempts of the ladder have failed, and the last is due. */
export const makeLastAttemptDue = async (sql: Sql, id: string): Promise<void> => {
  await sql`update deliveries set attempts_made = 5, next_attempt_at = now(), sweep_at = now() where id = ${id}`;
};

/** So many rounds of before, which are over: a test would make each of them. */
export const skipToRound = async (sql: Sql, id: string, round: number): Promise<void> => {
  await sql`update deliveries set round = ${round} where id = ${id}`;
};

/** A log of deliveries and events without what earlier tests have left in it. */
export const emptyLog = async (sql: Sql): Promise<void> => {
  await sql`delete from deliveries`;
  await sql`delete from events`;
};

/** Time passes: so much is left of the time until which a process has this delivery. */
export const leaveOfLease = async (sql: Sql, id: string, seconds: number): Promise<void> => {
  await sql`update deliveries set sweep_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = ${id}`;
};

/** Another process has this delivery, or none. */
export const handTo = async (sql: Sql, id: string, sender: string): Promise<void> => {
  await sql`update deliveries set sender = ${sender} where id = ${id}`;
};

/** A process that has reported itself for the last time so many seconds ago. */
export const lastReported = async (sql: Sql, id: string, { secondsAgo }: { secondsAgo: number }): Promise<void> => {
  await sql`
    insert into processes (id, host, pid, version, roles, settings, seen_at)
    values (${id}, 'here', 1, '0.4.0', '{}', '{}', clock_timestamp() - make_interval(secs => ${secondsAgo}))`;
};
