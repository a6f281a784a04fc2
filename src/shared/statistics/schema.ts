import { z } from 'zod';
import { idOf } from '../codec.ts';
import { eventNames } from '../facts/names.ts';
import { askedTime } from '../times/storable-time.ts';
import { timeZone } from '../times/time-zone.ts';
import { percentileMs, type LatencyBuckets } from './latency.ts';
import type { Interval } from './points.ts';
import type { Statistics, Tally } from './read.ts';

const intervals = ['hour', 'day'] as const satisfies readonly Interval[];

/** What statistics are asked for; ids come out as UUIDs. */
export const statisticsQuery = z.strictObject({
  from: askedTime.optional().meta({
    description:
      'The hour or day in which the series begins; a day before `to` unless told, thirty days for days. Without a zone it is on the clock of `time_zone`.',
  }),
  to: askedTime
    .optional()
    .meta({ description: 'Before this time; now unless told. Without a zone it is on the clock of `time_zone`.' }),
  interval: z
    .enum(intervals, { error: 'must be hour or day' })
    .default('hour')
    .meta({ description: 'Hours reach back 31 days at most, days 184.' }),
  time_zone: timeZone.optional().meta({
    description: "The IANA time zone on whose clock days begin; the account's unless told.",
    example: 'Europe/Berlin',
  }),
  webhook_id: idOf('webhook', 'a webhook').optional(),
  event: z
    .enum(eventNames, { error: `must be of ${eventNames.join(', ')}` })
    .optional()
    .meta({ description: 'The name of the event.' }),
});

const count = z.int();

const tally = z.object({
  events: count
    .nullable()
    .meta({ description: 'Events that happened. Null of one webhook, because they belong to none.' }),
  deliveries: z.object({ delivered: count, failed: count, dropped: count, cancelled: count }).meta({
    description:
      'Deliveries that ended then, by what they ended as; delivered ones count with the attempt that succeeded. One that is sent again ends again.',
  }),
  attempts: z
    .object({ made: count, failed: count })
    .meta({ description: 'Attempts that began then. Test events and checks are no attempts.' }),
  latency_ms: z.object({ p50: count, p95: count, p99: count }).nullable().meta({
    description:
      'The time that half, 95 and 99 of 100 attempts did not exceed, reckoned from buckets; null without attempts. 10000 is that long or longer.',
  }),
});

export const statisticsBody = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime().meta({ description: 'The end of the last point, which may be still to come.' }),
    interval: z.enum(intervals),
    time_zone: z.string(),
    points: z
      .array(tally.extend({ at: z.iso.datetime().meta({ description: 'The beginning of the hour or day.' }) }))
      .meta({
        description:
          'In their order, with zeros where nothing happened. An hour, which is one of UTC, belongs to the day in which it begins.',
      }),
    total: tally,
    rolled_up_until: z.iso.datetime().meta({
      description: 'Up to here the numbers are complete; later hours are counted as they are asked for.',
    }),
    live_capped: z.boolean().meta({
      description: 'Whether those later hours have more than is counted of them: then their numbers are too low.',
    }),
  })
  .meta({ id: 'Statistics' });

/** Statistics as they are asked for and read. */
export const showStatistics = (
  { from, to, interval, timeZone: zone, isOfWebhook }: ShownTimes & { isOfWebhook: boolean },
  { points, total, rolledUpUntil, isCapped }: Statistics,
): z.infer<typeof statisticsBody> => {
  const showOne = ({ event, ...rest }: Tally) => showTally({ event: isOfWebhook ? null : event, ...rest });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    time_zone: zone,
    points: points.map(({ at, tally: one }) => ({ at: at.toISOString(), ...showOne(one) })),
    total: showOne(total),
    rolled_up_until: rolledUpUntil.toISOString(),
    live_capped: isCapped,
  };
};

type ShownTimes = { from: Date; to: Date; interval: Interval; timeZone: string };

const showTally = ({
  event,
  failed,
  dropped,
  cancelled,
  succeeded,
  unsuccessful,
  latency,
}: Omit<Tally, 'event'> & { event: number | null }): z.infer<typeof tally> => ({
  events: event,
  deliveries: { delivered: succeeded, failed, dropped, cancelled },
  attempts: { made: succeeded + unsuccessful, failed: unsuccessful },
  latency_ms: showLatency(latency),
});

const showLatency = (buckets: LatencyBuckets) => {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileMs(buckets, share));
  return typeof p50 === 'number' && typeof p95 === 'number' && typeof p99 === 'number' ? { p50, p95, p99 } : null;
};
