import { plural } from './numbers.ts';

/** Of work that takes its time: bulk replays of deliveries and bulk retries of runs. */
export const bulkWorkWords = {
  state: { running: 'Running', paused: 'Paused', finished: 'Finished', cancelled: 'Cancelled' },
  status: 'Status',
  created: 'Started',
  finished: 'Finished',
  id: 'ID',
  progress: 'Progress',
  progressOf: ({ done, total }: { done: number; total: number }) => `${done} of ${total}`,
  progressOfMore: ({ done, total }: { done: number; total: number }) => `${done} of more than ${total}`,
  pause: 'Pause',
  resume: 'Resume',
  counting: 'Counting …',
  takes: (time: string) => `Starting them takes about ${time}.`,
  seconds: (count: number) => plural(count, { one: 'a second', other: `${count} seconds` }),
  minutes: (count: number) => plural(count, { one: 'a minute', other: `${count} minutes` }),
  paceName: 'Pace',
  paceOf: (pace: number) => `${pace} a second`,
} as const;
