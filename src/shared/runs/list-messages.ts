import { showId } from '../ids.ts';
import { messageColumns } from '../messages/queries.ts';
import type { MessageRow } from '../messages/schema.ts';
import type { Sql } from '../platform/db/connect.ts';

/** A message of a run as it is stored, with its step and its place in the order of everything that comes for the contact. */
export type RunMessageRow = MessageRow & { step: number; seq: number };

/** The run whose messages are listed; ids are UUIDs. */
type OfRun = { id: string; contactId: string; startedAt: Date };

type Page = { limit: number; before?: { step: number; seq: number } | undefined };

/** Of a conversation so many messages before the start of a run are looked at for the one that started it. */
const searchedAtMost = 50;

/**
 * A page of what a run has sent and taken as answers, the latest first, and last the message that it was started by. Each part is read in the
 * order of an index, from `before` on. A message starts a run in its own transaction, so that it is found beside the start.
 */
export const listRunMessages = (
  sql: Sql,
  { id, contactId, startedAt }: OfRun,
  { limit, before }: Page,
): Promise<RunMessageRow[]> => {
  const isEarlier = before === undefined ? sql`true` : sql`seq < ${before.seq}`;
  return sql<RunMessageRow[]>`
    with sent as (
      select message_id as id, run_step as step, seq from outbound_messages
      where run_id = ${id} ${before === undefined ? sql`` : sql`and run_step <= ${before.step}`} and ${isEarlier}
      order by run_step desc, position desc limit ${limit}),
    taken as (
      select ref_id as id, taken_by_step as step, seq from run_inputs
      where run_id = (select root_run_id from runs where id = ${id}) and kind = 'reply' and taken_by_run = ${id} and ${isEarlier}
      order by seq desc limit ${limit}),
    first as (
      select m.id, 0 as step, m.seq from conversations v cross join lateral (
        select id, seq, routed_to from messages
        where conversation_id = v.id and id < uuid_from_time(${startedAt}::timestamptz + interval '1 second')
          and id > uuid_from_time(${startedAt}::timestamptz - interval '1 minute')
        order by id desc limit ${searchedAtMost}) as m
      where v.contact_id = ${contactId} and ${isEarlier} and m.routed_to ->> 'to' = 'flow' and m.routed_to ->> 'run_id' = ${showId('run', id)}
      limit 1)
    select ${messageColumns(sql)}, of_run.step, of_run.seq::float8
    from (select * from sent union all select * from taken union all select * from first) as of_run
    join messages m on m.id = of_run.id left join outbound_messages o on o.message_id = m.id
    order by of_run.seq desc limit ${limit}`;
};
