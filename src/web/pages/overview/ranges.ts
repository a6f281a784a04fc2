/** The times that the overview tells of: that many hours or days, the present one included, and as many before. */
const ranges = {
  day: { interval: 'hour', points: 24 },
  week: { interval: 'day', points: 7 },
  month: { interval: 'day', points: 30 },
} as const;

export type Range = keyof typeof ranges;

export const rangeNames = ['day', 'week', 'month'] as const satisfies readonly Range[];

export const readRange = (text: string | undefined): Range => rangeNames.find((name) => name === text) ?? 'day';

const hourMs = 3_600_000;

/** What a range asks for. To the hour, so that the question stays the same while it is asked again. */
export const queryOf = (range: Range, nowMs: number) => {
  const { interval, points } = ranges[range];
  const hour = Math.floor(nowMs / hourMs) * hourMs;
  const from = new Date(hour - (points - 1) * hourMs * (interval === 'hour' ? 1 : 24));
  return {
    from: from.toISOString(),
    interval,
    time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    compare: 'true',
  } as const;
};
