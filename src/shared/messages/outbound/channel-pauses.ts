import type { Fragment, Sql } from '../../platform/db/connect.ts';

/** The longest pause that a service may ask for at a time, in ms. */
const pauseAtMostMs = 15 * 60_000;

/** Nothing is sent over the channel, a UUID, for so long from now on. A longer pause stays. */
export const pauseChannel = async (sql: Sql, channelId: string, forMs: number): Promise<void> => {
  await sql`
    update channels set paused_until = greatest(paused_until, clock_timestamp() + ${Math.min(forMs, pauseAtMostMs)} * interval '1 ms')
    where id = ${channelId}`;
};

/** SQL: the end of the pause of the channel of a lane, a row of `sendings`; now when there is none. */
export const endOfPause = (sql: Sql): Fragment => sql`
  greatest(clock_timestamp(), (select c.paused_until from channels c where c.id = sendings.channel_id))`;
