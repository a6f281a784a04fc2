import { z } from 'zod';
import { idOf } from '../codec.ts';
import { eventNames } from '../facts/names.ts';
import { askedTime } from '../times/storable-time.ts';
import { timeZone } from '../times/time-zone.ts';
import type { Activity } from './activity.ts';
import { answerBoundsMs, latencyBoundsMs, percentileMs, type Histogram } from './histogram.ts';
import { earlier, type Interval } from './points.ts';
import type { ActivitySeries } from './read-activity.ts';
import type { Statistics, Tally } from './read.ts';

const intervals = ['hour', 'day'] as const satisfies readonly Interval[];

/** What statistics are asked for; ids come out as UUIDs. */
export const statisticsQuery = z.strictObject({
  from: askedTime.optional().meta({
    description:
      'The hour or day in which the series begins; by default a day before `to`, thirty days for days. Without a zone, on the clock of `time_zone`.',
  }),
  to: askedTime.optional().meta({
    description: 'The end of the series, exclusive; now if omitted. Without a zone, on the clock of `time_zone`.',
  }),
  interval: z
    .enum(intervals, { error: 'must be hour or day' })
    .default('hour')
    .meta({ description: 'Hours reach back 31 days at most, days 184.' }),
  time_zone: timeZone.optional().meta({
    description: "The IANA time zone on whose clock days begin; the account's if omitted.",
    example: 'Europe/Berlin',
  }),
  webhook_id: idOf('webhook', 'a webhook').optional(),
  compare: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .meta({ description: 'Whether `before` also covers the previous period.' }),
  event: z
    .enum(eventNames, { error: `must be of ${eventNames.join(', ')}` })
    .optional()
    .meta({ description: 'The name of the event.' }),
});

const count = z.int();

const activity = z
  .object({
    messages: z
      .object({ received: count, sent: count })
      .meta({ description: 'Messages from contacts, and messages to contacts, from any sender.' }),
    new_contacts: count,
    first_answers: z.object({ count, median_ms: count, p95_ms: count }).nullable().meta({
      description:
        'Conversations that got their first answer then, and how long half and 95 of 100 contacts had waited for it, reckoned from buckets. An answer is the first message to the contact after its own first one. Null without any.',
    }),
    runs: z
      .object({ started: count, completed: count, failed: count, cancelled: count })
      .meta({ description: 'Runs of flows that began then, and those that ended then, by what they ended as.' }),
  })
  .meta({ id: 'Activity' });

const tally = z.object({
  activity: activity
    .nullable()
    .meta({ description: 'Counts of what contacts, agents and flows did. Null for one webhook or event.' }),
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
    before: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), total: tally }).nullable().meta({
      description:
        'The same number of hours or days before, up to the same point in the last one. Null unless you set `compare`.',
    }),
    rolled_up_until: z.iso.datetime().meta({
      description: 'Up to here the numbers are complete; later hours are counted as they are asked for.',
    }),
    live_capped: z.boolean().meta({
      description: 'Whether those later hours have more than is counted of them: then their numbers are too low.',
    }),
  })
  .meta({ id: 'Statistics' });

/** What was read of a period. `activity` is not read for one webhook or event. */
type Read = { deliveries: Statistics; activity: ActivitySeries | undefined };

/** Statistics as they are asked for and read. */
export const showStatistics = (
  { from, to, interval, timeZone: zone, isOfWebhook }: ShownTimes & { isOfWebhook: boolean },
  { deliveries, activity }: Read,
  before: { from: Date; until: Date } | undefined,
): z.infer<typeof statisticsBody> => {
  const showOne = ({ event, ...rest }: Tally, done: Activity | undefined) =>
    showTally({ event: isOfWebhook ? null : event, ...rest }, done);
  const reads = [deliveries, ...(activity ? [activity] : [])];
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    time_zone: zone,
    points: deliveries.points.map(({ at, tally: one }, place) => ({
      at: at.toISOString(),
      ...showOne(one, activity?.points[place]),
    })),
    total: showOne(deliveries.total, activity?.total),
    before:
      before && deliveries.before
        ? {
            from: before.from.toISOString(),
            to: before.until.toISOString(),
            total: showOne(deliveries.before, activity?.before),
          }
        : null,
    rolled_up_until: reads
      .map(({ rolledUpUntil }) => rolledUpUntil)
      .reduce(earlier)
      .toISOString(),
    live_capped: reads.some(({ isCapped }) => isCapped),
  };
};

type ShownTimes = { from: Date; to: Date; interval: Interval; timeZone: string };

const showTally = (
  {
    event,
    failed,
    dropped,
    cancelled,
    succeeded,
    unsuccessful,
    latency,
  }: Omit<Tally, 'event'> & { event: number | null },
  done: Activity | undefined,
): z.infer<typeof tally> => ({
  activity: done ? showActivity(done) : null,
  events: event,
  deliveries: { delivered: succeeded, failed, dropped, cancelled },
  attempts: { made: succeeded + unsuccessful, failed: unsuccessful },
  latency_ms: showLatency(latency),
});

const showLatency = (buckets: Histogram) => {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileMs(buckets, latencyBoundsMs, share));
  return typeof p50 === 'number' && typeof p95 === 'number' && typeof p99 === 'number' ? { p50, p95, p99 } : null;
};

const showActivity = ({ firstAnswers, ...done }: Activity): z.infer<typeof activity> => {
  const [median, p95] = [0.5, 0.95].map((share) => percentileMs(firstAnswers, answerBoundsMs, share));
  return {
    messages: { received: done.messagesReceived, sent: done.messagesSent },
    new_contacts: done.newContacts,
    first_answers:
      typeof median === 'number' && typeof p95 === 'number'
        ? { count: firstAnswers.reduce((sum, some) => sum + some, 0), median_ms: median, p95_ms: p95 }
        : null,
    runs: {
      started: done.runsStarted,
      completed: done.runsCompleted,
      failed: done.runsFailed,
      cancelled: done.runsCancelled,
    },
  };
};
