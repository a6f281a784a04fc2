import { vi } from 'vitest';
import { changed } from '../../../src/shared/facts/changed.ts';
import { enrollContact } from '../../../src/shared/runs/life/enroll.ts';
import type { LiveApi } from '../live-world.ts';
import { aCaller, type Adversary, type Load } from './adversary.ts';

/** Has so many runs of one flow begin at once, as an event does that many runs follow. Resolves when all of them are committed. */
export const beginManyRuns = async (live: LiveApi, { atOnce }: Load): Promise<Adversary> => {
  const { account, flow } = await aCaller(live);
  const { accountId } = account;
  const flowId = await flow('allow');
  await live.world.transact(async (tx) => {
    const contacts = await tx.sql<{ id: string }[]>`
      insert into contacts (account_id) select ${accountId} from generate_series(1, ${atOnce}) returning id`;
    await tx.tell(changed(accountId, 'contacts'));
    for (const { id } of contacts) await enrollContact(tx, { accountId, contactId: id, flowId, params: {} });
  });
  const open = () => live.api.db`select from runs where account_id = ${accountId} and ended_at is null limit 1`;
  return {
    account,
    stop: async () => {
      await vi.waitUntil(async () => (await open()).count === 0, { timeout: 120_000, interval: 100 });
      return {};
    },
  };
};
