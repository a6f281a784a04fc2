import { createBatches } from '../platform/batches.ts';
import { among, inRangeOf } from '../platform/db/among.ts';
import type { Database, Sql } from '../platform/db/connect.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { Logger } from '../platform/log.ts';
import { firstAttemptGraceSeconds } from './work.ts';

/** Keeps the sweep away from deliveries that wait in this process to be sent. */
export type GraceExtension = {
  /** A delivery begins to wait. It may be sent until `untilMs`, by the monotonic clock, as long as nothing extends that. */
  add: (id: string, untilMs: number) => Waiting;
  /** Resolves when no statement is under way. */
  drain: () => Promise<void>;
};

export type Waiting = {
  /** Until when it may be sent, in ms. `isExtended`: later than its first time, which no transaction's slow commit shortens. */
  readonly untilMs: number;
  readonly isExtended: boolean;
  end: () => void;
};

/**
 * An extension gives so many seconds until the sweep looks, and so many ms to send within them. What is between is for the POST and its
 * recording, with a reserve.
 */
const extension = { graceSeconds: 30, sendWithinMs: 15_000 };

/** An extension is asked for when less than this is left, in ms: time enough for the statement, and to be sent without it. */
const askedBeforeMs = 1_500;

const lookEveryMs = 250;

/** How long the statement may take, in ms. What it answers later is not counted on. */
const deadlineMs = 2_000;

/** The most deliveries in one statement. */
const atOnce = 500;

/** `sweepAt`: the time that the last extension has set, as PostgreSQL writes it. */
type Kept = { id: string; untilMs: number; sweepAt: string | null; asked: boolean };

/** Extends the grace of many deliveries in one statement. One that the sweep has claimed, or that has ended, is not extended. */
export const createGraceExtension = (
  db: Database,
  log: Logger,
  { sendWithinMs = extension.sendWithinMs }: { sendWithinMs?: number } = {},
): GraceExtension => {
  const waiting = new Map<string, Kept>();
  let timer: NodeJS.Timeout | undefined;

  const requests = createBatches<Kept>({
    most: atOnce,
    work: async (asked) => {
      const all = asked.filter(({ id }) => waiting.has(id));
      const askedMs = performance.now();
      try {
        const times = await withDeadline(deadlineMs, 'extending the grace of deliveries', () => extendGrace(db, all));
        for (const kept of all) {
          const sweepAt = times.get(kept.id);
          if (sweepAt === undefined) continue;
          Object.assign(kept, { sweepAt, untilMs: askedMs + sendWithinMs });
        }
      } catch (error) {
        log.warn({ err: error, waiting: all.length }, 'outbox.grace_not_extended');
      }
      for (const kept of asked) kept.asked = false;
    },
  });

  const look = (): void => {
    const now = performance.now();
    for (const kept of waiting.values()) {
      if (kept.asked || kept.untilMs < now || kept.untilMs > now + askedBeforeMs) continue;
      kept.asked = true;
      requests.add(kept);
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add: (id, untilMs) => {
      const kept: Kept = { id, untilMs, sweepAt: null, asked: false };
      waiting.set(id, kept);
      timer ??= setInterval(look, lookEveryMs).unref();
      return {
        get untilMs() {
          return kept.untilMs;
        },
        get isExtended() {
          return kept.sweepAt !== null;
        },
        end: () => waiting.delete(id),
      };
    },
    drain: requests.drain,
  };
};

/** When the sweep looks at a delivery `d` that nobody has touched since it was made. */
const bornSweepAt = (sql: Sql) => sql`d.created_at + make_interval(secs => ${firstAttemptGraceSeconds})`;

/** Answers the new times by id, of those whose last time nobody has changed: a claim, an end or a new round does. */
const extendGrace = async (sql: Sql, kept: readonly Pick<Kept, 'id' | 'sweepAt'>[]): Promise<Map<string, string>> => {
  const ids = kept.map(({ id }) => id);
  const rows = await sql<{ id: string; sweepAt: string }[]>`
    with given as (
      select * from unnest(${ids}::uuid[], ${kept.map(({ sweepAt }) => sweepAt)}::text[]::timestamptz[]) as given (id, sweep_at)
    ), waiting as materialized (
      select d.id from deliveries d join given on given.id = d.id
      where ${among(sql, sql`d.id`, ids)}
        and (d.sweep_at = given.sweep_at or (given.sweep_at is null and d.sweep_at = ${bornSweepAt(sql)}))
      order by d.id for no key update of d
    )
    update deliveries set sweep_at = clock_timestamp() + make_interval(secs => ${extension.graceSeconds})
    where id = any(array(select id from waiting)) and ${inRangeOf(sql, sql`id`, ids)} returning id, sweep_at::text`;
  return new Map(rows.map(({ id, sweepAt }) => [id, sweepAt]));
};
