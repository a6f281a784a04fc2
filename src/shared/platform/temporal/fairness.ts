import type { Lane } from '../bulkhead/bulkhead.ts';

/**
 * The fairness key `account/webhook`, of TypeIDs, at most 64 bytes. Temporal hands out waiting tasks key by key, and `shareSlots` bounds those
 * under way by webhook and by account. The key of a replay is only its account.
 */
export const fairnessKeyOf = (accountId: string, key: string): string => `${accountId}/${key}`;

/** The account and webhook of a key. The key of a replay has no webhook, and is one of its own. */
export const readFairnessKey = (key: string): Lane => {
  const [accountId = key] = key.split('/');
  return { accountId, key };
};
