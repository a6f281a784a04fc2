import type { RequestFailure } from './live/request-failure.ts';

/** What a visitor is told of a request that the server refuses, by the names of the texts: the server's own words are English. */
const byStatus = {
  403: 'sign_in',
  413: 'too_large',
  415: 'wrong_type',
  429: 'too_many',
} as const;

export type Refusal = (typeof byStatus)[keyof typeof byStatus] | 'question_over';

const known: ReadonlySet<unknown> = new Set<Refusal>([...Object.values(byStatus), 'question_over']);

/** Why the server refuses; null where a visitor can do nothing about it but try again. */
export const refusalOf = ({ status, field }: RequestFailure): Refusal | null => {
  if (status === 422 && field === 'choice') return 'question_over';
  return Object.entries(byStatus).find(([refused]) => Number(refused) === status)?.[1] ?? null;
};

/** A refusal as it was stored; another version may have stored other ones. */
export const readRefusal = (stored: unknown): Refusal | null =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the set has these alone
  known.has(stored) ? (stored as Refusal) : null;
