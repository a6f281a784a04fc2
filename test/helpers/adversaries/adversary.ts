import { newUuid } from '../../../src/shared/ids.ts';
import type { TestAccount } from '../api.ts';
import { aFlow } from '../live-flows.ts';
import type { LiveApi } from '../live-world.ts';

/** Whoever makes as much of one thing as it can, of an account of its own. */
export type Adversary = {
  account: TestAccount;
  /** Resolves when no more of its load is under way, with the statuses that it was answered and how often each was. */
  stop: () => Promise<Record<number, number>>;
};

/** How much it makes at once. */
export type Load = { atOnce: number };

/** An account with a contact and a live flow that ends at once. */
export const aCaller = async ({ api }: Pick<LiveApi, 'api'>) => {
  const account = await api.createAccount();
  const post = (path: string, body: object) =>
    api.request<{ id: string }>('POST', `/v1${path}`, { key: account.apiKey, body });
  const contact = await post('/contacts', { external_id: newUuid() });
  const flow = (reentry: string): Promise<string> =>
    aFlow(api.db, account.accountId, { reentry, blocks: [{ id: 'note', type: 'add_tag', tag: 'seen' }] });
  return { account, post, contactId: contact.body.id, flow };
};

/** How often each of these came. */
export const countEach = (statuses: readonly number[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
