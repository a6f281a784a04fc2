import type { Database } from '../../platform/db/connect.ts';
import { eachBucket } from '../../statistics/histogram.ts';
import { sumOf } from '../../statistics/roll-up-kind.ts';
import { analyticsHours, stayBoundsMs } from './outcomes.ts';

/** The most rows that one statement counts: it takes a fraction of a second. */
const batchRows = 20_000;

/** How long one call may take, in ms: the next one goes on. */
const usualMs = 20_000;

/** Hours are kept for a day longer than they are read. */
const keptHours = analyticsHours + 24;

/** The most old hours that one call deletes. */
const deletedAtOnce = 20_000;

/**
 * Counts what passes have noted into the hours of blocks. Each statement takes rows away and adds them up, so that a crash or a second process
 * counts nothing twice, and what a slow transaction commits late is counted by the next call. Answers how many rows were counted.
 */
export const rollUpBlocks = async (
  db: Database,
  { forMs = usualMs, rows = batchRows, signal }: { forMs?: number; rows?: number; signal?: AbortSignal } = {},
): Promise<number> => {
  const untilMs = performance.now() + forMs;
  let counted = 0;
  for (;;) {
    const taken = await rollUpBatch(db, rows);
    counted += taken;
    if (taken < rows || signal?.aborted || performance.now() > untilMs) break;
  }
  await db`
    delete from block_hours where ctid = any(array(
      select ctid from block_hours where hour < now() - make_interval(hours => ${keptHours}) order by hour limit ${deletedAtOnce}))`;
  return counted;
};

const rollUpBatch = async (db: Database, rows: number): Promise<number> => {
  const bucket = db`width_bucket(took_ms::float8, ${[...stayBoundsMs]}::float8[])`;
  const buckets = eachBucket(stayBoundsMs, (at) => `(count(*) filter (where bucket = ${at}))::int`);
  const key = db`account_id, flow_id, date_bin('1 hour', at, 'epoch'::timestamptz) as hour, version, block_id`;
  const [result] = await db<[{ taken: number }]>`
    with taken as (
      delete from block_moves where ctid = any(array(select ctid from block_moves limit ${rows} for update skip locked)) returning *
    ), moved as (
      select ${key}, 'entered' as outcome, '' as port, null::int as bucket from taken where is_entry
      union all
      select ${key}, outcome, coalesce(port, ''), ${bucket} from taken where outcome is not null
    ), written as (
      insert into block_hours as h (account_id, flow_id, hour, version, block_id, outcome, port, count, stays)
      select account_id, flow_id, hour, version, block_id, outcome, port, count(*),
        case when outcome in ('left', 'ended') then array[${db.unsafe(buckets.join(', '))}] end
      from moved join accounts on accounts.id = moved.account_id
      group by account_id, flow_id, hour, version, block_id, outcome, port
      -- In one order, so that two processes cannot wait for each other.
      order by flow_id, hour, version, block_id, outcome, port
      on conflict (flow_id, hour, version, block_id, outcome, port) do update
      set count = h.count + excluded.count, stays = ${sumOf(db, [db`h.stays`, db`excluded.stays`])}
    )
    select count(*)::int as taken from taken`;
  return result.taken;
};
