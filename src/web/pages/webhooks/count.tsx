import { backlogCap, backlogCapOfLists } from '../../../shared/webhooks/schema.ts';
import { sayNumber } from '../../words/numbers.ts';
import { words } from './words.ts';

type Props = { count: number; of: 'list' | 'one' };

/** A number of deliveries, which is counted up to a limit. */
export const Count = ({ count, of }: Props) => {
  const cap = of === 'list' ? backlogCapOfLists : backlogCap;
  return count >= cap ? words.atLeast(sayNumber(cap - 1)) : sayNumber(count);
};
