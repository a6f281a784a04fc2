import type { Sql } from '../../platform/db/connect.ts';
import { eachBucket, percentileMs, type Histogram } from '../../statistics/histogram.ts';
import { countOpenRuns } from '../counts.ts';
import { runsCap } from '../schema.ts';
import { analyticsHours, stayBoundsMs, type Outcome } from './outcomes.ts';

/** The most rows that are read of what is not counted yet, and the most open runs of one version. */
const liveCap = 50_000;
const openCap = 20_000;

/** The most rows of hours that are read of a flow: they take a second. Two hundred blocks that all are busy have so many in a week. */
const hoursCap = 300_000;

/** The most blocks that are told: a version has 500, and runs may still be in others. */
const mostBlocks = 1_000;

/** How runs went through a block. `before + entered` is the sum of all the others, where `before` is known. */
export type BlockAnalytics = {
  blockId: string;
  entered: number;
  /** How often each port was taken, without those by which a run has failed. */
  left: Record<string, number>;
  /** Runs that ended here by themselves. */
  ended: number;
  failed: number;
  /** Of the failed ones those that took a port behind which nothing follows. */
  failedBy: Record<string, number>;
  timedOut: number;
  cancelled: number;
  /** By their reason. */
  cancelledBy: Record<string, number>;
  here: { count: number; more: boolean };
  /** Runs that were here already; null where that cannot be told. */
  before: number | null;
  /** Runs that came, and whose end was not counted. */
  uncounted: number;
  medianMs: number | null;
};

/** `isShort`: seven days have more than is read, and `since` is later. */
export type FlowAnalytics = {
  since: Date;
  isShort: boolean;
  isCapped: boolean;
  isPaused: boolean;
  blocks: BlockAnalytics[];
};

type Asked = { accountId: string; flowId: string; version: number | undefined; cap?: number; hours?: number };

/**
 * How runs went through the blocks of a flow in the last seven days, from the full hour on, of a huge flow in the last hours: hours from their rows, and what is not counted yet from
 * what passes have noted, in one snapshot. Blocks come in the order of the live version, or of the one that is asked for.
 */
export const readBlockAnalytics = async (sql: Sql, asked: Asked): Promise<FlowAnalytics> => {
  const { counts, ...read } = await readCounts(sql, asked);
  const here = await readHere(sql, asked);
  const order = await readOrder(sql, asked);
  const place = new Map(order.map((blockId, at) => [blockId, at]));
  const byBlock = Map.groupBy(counts, ({ blockId }) => blockId);
  const ids = [...new Set([...byBlock.keys(), ...here.keys()])].sort(
    (one, other) => (place.get(one) ?? order.length) - (place.get(other) ?? order.length) || (one < other ? -1 : 1),
  );
  const blocks = ids
    .slice(0, mostBlocks)
    .map((blockId) => sumUp(blockId, byBlock.get(blockId) ?? [], here.get(blockId) ?? { count: 0, more: false }));
  // A run of a paused flow has left its block, and waits there for the next one.
  return { ...read, blocks: read.isPaused ? blocks.map((block) => ({ ...block, before: null })) : blocks };
};

type Count = { blockId: string; outcome: Outcome; port: string; count: number; stays: number[] };

const readCounts = async (sql: Sql, { accountId, flowId, version, cap = liveCap, hours = hoursCap }: Asked) => {
  const ofVersion = version === undefined ? sql`` : sql`and version = ${version}`;
  const stays = eachBucket(stayBoundsMs, (bucket) => `coalesce(sum(stays[${bucket + 1}]), 0)::float8`);
  const live = eachBucket(stayBoundsMs, (bucket) => `(count(*) filter (where bucket = ${bucket}))::float8`);
  const [row] = await sql<[Omit<FlowAnalytics, 'blocks'> & { counts: Count[] }]>`
    with week as materialized (
      select date_bin('1 hour', now() - make_interval(hours => ${analyticsHours}), 'epoch'::timestamptz) as since
    ), span as materialized (
      -- The first hour of which, and of all after it, everything is read. All versions count, so that each one has the same hours.
      select greatest(week.since, (
        select hour + interval '1 hour' from block_hours where flow_id = ${flowId} and hour >= week.since
        order by hour desc offset ${hours} limit 1)) as since
      from week
    ), moves as materialized (
      select block_id, is_entry, outcome, coalesce(port, '') as port,
        width_bucket(took_ms::float8, ${[...stayBoundsMs]}::float8[]) as bucket
      from block_moves where flow_id = ${flowId} and account_id = ${accountId} ${ofVersion}
      and at >= (select since from span) limit ${cap}
    ), counts as (
      select block_id, outcome, port, sum(count)::float8 as count, array[${sql.unsafe(stays.join(', '))}] as stays
      from block_hours where flow_id = ${flowId} and account_id = ${accountId} ${ofVersion} and hour >= (select since from span)
      group by block_id, outcome, port
      union all
      select block_id, 'entered', '', count(*), array[]::float8[] from moves where is_entry group by block_id
      union all
      select block_id, outcome, port, count(*), array[${sql.unsafe(live.join(', '))}] from moves where outcome is not null
      group by block_id, outcome, port
    )
    select span.since, span.since > week.since as is_short, f.status = 'paused' as is_paused, (select count(*) from moves) >= ${cap} as is_capped,
      (select coalesce(json_agg(json_build_object(
        'blockId', block_id, 'outcome', outcome, 'port', port, 'count', count, 'stays', stays)), '[]') from counts) as counts
    from week, span, flows f where f.id = ${flowId} and f.account_id = ${accountId}`;
  return row;
};

const readHere = async (
  sql: Sql,
  { flowId, version }: Asked,
): Promise<Map<string, { count: number; more: boolean }>> => {
  if (version === undefined) {
    const all = await countOpenRuns(sql, flowId);
    return new Map(
      all.flatMap(({ blockId, running, waiting }) =>
        blockId === null ? [] : [[blockId, { count: running + waiting, more: Math.max(running, waiting) >= runsCap }]],
      ),
    );
  }
  const rows = await sql<{ blockId: string; count: number; more: boolean }[]>`
    with open as materialized (
      select block_id from runs where flow_id = ${flowId} and version = ${version} and ended_at is null limit ${openCap}
    )
    select block_id, count(*)::int as count, (select count(*) from open) >= ${openCap} as more from open
    where block_id is not null group by block_id`;
  return new Map(rows.map(({ blockId, ...counted }) => [blockId, counted]));
};

const readOrder = async (sql: Sql, { flowId, version }: Asked): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select b.value ->> 'id' as id from flows f join flow_versions v on v.flow_id = f.id and v.version = ${version ?? sql`f.version`},
      jsonb_array_elements(v.definition -> 'blocks') with ordinality as b (value, place)
    where f.id = ${flowId} order by b.place`;
  return rows.map(({ id }) => id);
};

const sumUp = (blockId: string, counts: readonly Count[], here: BlockAnalytics['here']): BlockAnalytics => {
  const of = (outcome: Outcome) => counts.filter((one) => one.outcome === outcome);
  const total = (outcome: Outcome) => of(outcome).reduce((sum, { count }) => sum + count, 0);
  const byPort = (outcome: Outcome): Record<string, number> => {
    const ports: Record<string, number> = Object.create(null);
    for (const { port, count } of of(outcome)) if (port !== '') ports[port] = (ports[port] ?? 0) + count;
    return ports;
  };
  const [left, failedBy] = [byPort('left'), byPort('failed')];
  const entered = total('entered');
  const gone = total('left') + total('ended') + total('failed') + total('cancelled');
  const missing = gone + here.count - entered;
  const stays = [...of('left'), ...of('ended')].reduce<Histogram>(
    (sum, one) => sum.map((some, place) => some + (one.stays[place] ?? 0)),
    eachBucket(stayBoundsMs, () => 0),
  );
  return {
    blockId,
    entered,
    left,
    ended: total('ended'),
    failed: total('failed'),
    failedBy,
    timedOut: (left['timeout'] ?? 0) + (failedBy['timeout'] ?? 0),
    cancelled: total('cancelled'),
    cancelledBy: byPort('cancelled'),
    here,
    before: here.more ? null : Math.max(0, missing),
    uncounted: here.more ? 0 : Math.max(0, -missing),
    medianMs: percentileMs(stays, stayBoundsMs, 0.5),
  };
};
