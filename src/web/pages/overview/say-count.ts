import type { Schemas } from '../../api/client.ts';
import { sayNumber } from '../../words/numbers.ts';
import { words } from './words.ts';

/** "12", or "1,000 or more". */
export const sayCount = ({ count, more }: Schemas['CountedUpTo']): string =>
  more ? words.atLeast(sayNumber(count)) : sayNumber(count);

/** The same for words that have a singular. */
export const told = (counted: Schemas['CountedUpTo']): { count: number; number: string } => ({
  count: counted.count,
  number: sayCount(counted),
});

/** Both together. */
export const sumOf = (one: Schemas['CountedUpTo'], other: Schemas['CountedUpTo']): Schemas['CountedUpTo'] => ({
  count: one.count + other.count,
  more: one.more || other.more,
});
