import type { Lane } from '../bulkhead/bulkhead.ts';

/**
 * Temporal hands out the tasks that wait of each key in turn, and `shareSlots` bounds those under way: by key (a
 * webhook), and by the account that stands before it. Of TypeIDs; 64 bytes are the limit. A replay's key is its account alone.
 */
export const fairnessKeyOf = (accountId: string, key: string): string => `${accountId}/${key}`;

/** Whose key it is. One without an account, as version 0.1.0 made them, counts as an account of its own. */
export const readFairnessKey = (key: string): Lane => {
  const [accountId = key] = key.split('/');
  return { accountId, key };
};
