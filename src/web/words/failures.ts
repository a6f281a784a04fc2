import { plural } from './numbers.ts';

/** What went wrong. */
export const failureWords = {
  away: 'The server does not answer',
  awayHint: 'Check your connection, then try again. Saved changes are safe.',
  tooMany: 'Too many requests',
  tooManyHint: (count: number) =>
    plural(count, { one: `Try again in ${count} second.`, other: `Try again in ${count} seconds.` }),
  ours: 'Something went wrong on the server',
  oursHint: ({ message, id }: { message: string; id: string }) =>
    `${message} If this keeps happening, give your operator this request ID: ${id}.`,
  noId: 'unknown',
  refused: 'Request refused',
  usedByFlows: 'Change and publish these flows first. Runs in older versions must end or be cancelled, too.',
  retry: 'Try again',
} as const;
