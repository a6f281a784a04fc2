import { backlogCap, backlogCapOfLists } from '../../../shared/webhooks/schema.ts';
import { words } from './words.ts';

type Props = { count: number; of: 'list' | 'one' };

/** A number of deliveries, which is counted up to a limit. */
export const Count = ({ count, of }: Props) => {
  const cap = of === 'list' ? backlogCapOfLists : backlogCap;
  return count >= cap ? words.atLeast((cap - 1).toLocaleString()) : count.toLocaleString();
};
