import { plural } from './numbers.ts';

/** What went wrong. */
export const failureWords = {
  away: 'The server does not answer',
  awayHint: 'Check your connection, then try again. Nothing that was saved is lost.',
  tooMany: 'Too many requests',
  tooManyHint: (count: number) =>
    plural(count, { one: `Try again in ${count} second.`, other: `Try again in ${count} seconds.` }),
  ours: 'The server could not do this',
  oursHint: ({ message, id }: { message: string; id: string }) =>
    `${message} If it goes on, tell your operator this request id: ${id}.`,
  noId: 'unknown',
  refused: 'This was not possible',
  usedByFlows:
    'Change these flows first, and publish them. Where contacts are still in an older version, their runs have to end or be cancelled.',
  retry: 'Try again',
} as const;
