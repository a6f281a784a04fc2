import type { Database, Sql } from '../../../platform/db/connect.ts';
import { goneAfterSeconds } from '../../../platform/processes/own-process.ts';
import type { StoredConfig } from '../kind.ts';

/** The lease of a channel, in seconds. It begins anew with each turn, which takes less. */
const leaseSeconds = 90;

/** A channel that a process polls for; ids are UUIDs. */
export type Claim = { id: string; accountId: string; type: string };

/** Who polls, and which channels it has. */
export type Claimer = { processId: string; held: readonly Pick<Claim, 'id' | 'accountId'>[] };

/**
 * SQL: whether no process has channel `c`: none, one whose lease is over, one that has stopped reporting, or this one, which could not give it back
 * while the database was away.
 */
const isFree = (sql: Sql, { processId, held }: Claimer) => sql`
  coalesce(c.poll_until <= clock_timestamp(), true) or (c.poller is not null and not exists (
    select from processes p
    where p.id = c.poller and p.seen_at > clock_timestamp() - make_interval(secs => ${goneAfterSeconds})))
  or (c.poller = ${processId} and c.id <> all(${held.map(({ id }) => id)}::uuid[]))`;

/**
 * Takes channels of these types that nobody polls for, those first that have waited longest, and never more of an account than `perAccount`. `waiting`
 * are the accounts of those that are left.
 */
export const claimChannels = async (
  db: Database,
  claimer: Claimer,
  { types, room, perAccount }: { types: readonly string[]; room: number; perAccount: number },
): Promise<{ claimed: Claim[]; waiting: ReadonlySet<string> }> => {
  const counts = new Map<string, number>();
  for (const { accountId } of claimer.held) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  const rows = await db<(Claim & { isTaken: boolean })[]>`
    with held as materialized (
      select * from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::int[]) as held (account_id, count)
    ), due as materialized (
      select c.id, c.account_id, c.poll_until, row_number() over (partition by c.account_id order by c.poll_until nulls first, c.id)
        + coalesce(held.count, 0) as place
      from channels c left join held using (account_id)
      where c.type = any(${[...types]}) and c.external_ref is not null and c.deleted_at is null and (${isFree(db, claimer)})
    ), chosen as materialized (
      select id from channels where id = any(array(
        select id from due where place <= ${perAccount} order by poll_until nulls first, id limit ${room}))
      order by id for no key update skip locked
    ), taken as (
      update channels c set poller = ${claimer.processId}, poll_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from chosen where c.id = chosen.id and (${isFree(db, claimer)})
      returning c.id, c.account_id, c.type
    )
    select id, account_id, type, true as is_taken from taken union all
    select distinct account_id, account_id, '', false from due where id not in (select id from taken)`;
  const claimed = rows.flatMap(({ isTaken, ...claim }) => (isTaken ? [claim] : []));
  return { claimed, waiting: new Set(rows.flatMap(({ isTaken, accountId }) => (isTaken ? [] : [accountId]))) };
};

/** Renews the lease of a channel, and answers its config as it is now. Undefined when this process has it no more, or it was deleted. */
export const renewClaim = async (
  db: Database,
  { id }: Claim,
  processId: string,
): Promise<Pick<StoredConfig, 'config' | 'secret'> | undefined> => {
  const [row] = await db<Pick<StoredConfig, 'config' | 'secret'>[]>`
    update channels set poll_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${id} and poller = ${processId} and deleted_at is null returning config, secret`;
  return row;
};

/** Gives a channel back. Nobody polls for it in the next `forMs`; of those that are free it is the last. */
export const releaseClaim = async (
  db: Database,
  { id }: Claim,
  { processId, forMs }: { processId: string; forMs: number },
): Promise<void> => {
  await db`
    update channels set poller = null, poll_until = clock_timestamp() + ${forMs} * interval '1 ms'
    where id = ${id} and poller = ${processId}`;
};
