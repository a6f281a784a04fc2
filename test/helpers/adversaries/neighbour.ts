import { vi } from 'vitest';
import { newUuid, readId, showId } from '../../../src/shared/ids.ts';
import type { Database } from '../../../src/shared/platform/db/connect.ts';
import { insertWebhook } from '../accounts.ts';
import type { LiveApi } from '../live-world.ts';
import { startReceiver } from '../receiver.ts';
import { aCaller } from './adversary.ts';

/** Longer than anything may take, in ms. */
const patienceMs = 40_000;

/** How long each took, in ms: a POST, from another to the end of the run that it began, and to the receipt of the event that it sent. */
type Took = { post: number; run: number; delivery: number };

/** Another account of the installation that does a little now and then. */
export type Neighbour = {
  accountId: string;
  /** Does each thing once, at the same time. Answers how long each took, and the UUID of the run. */
  act: () => Promise<Took & { runId: string }>;
  stop: () => Promise<void>;
};

/** Makes the neighbour. `aside` is a pool of the test's own, which nobody can fill. */
export const aNeighbour = async (live: LiveApi, aside: Database): Promise<Neighbour> => {
  const receiver = await startReceiver();
  const { account, post, contactId, flow } = await aCaller(live);
  const { accountId } = account;
  const flowId = showId('flow', await flow('allow'));
  await insertWebhook(live.world, { accountId, url: receiver.url('/'), events: ['new_contact'] });
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const since = performance.now();
    await act();
    return performance.now() - since;
  };
  const isOver = async (id: string) =>
    (await aside`select from runs where id = ${id} and ended_at is not null`).count > 0;
  return {
    accountId,
    act: async () => {
      let runId = '';
      const [posted, run, delivery] = await Promise.all([
        timed(() => post('/contacts', { external_id: newUuid() })),
        timed(async () => {
          const { body: begun } = await post(`/contacts/${contactId}/flows`, { flow_id: flowId });
          runId = readId('run', begun.id);
          await vi.waitUntil(() => isOver(runId), { timeout: patienceMs, interval: 10 });
        }),
        timed(async () => {
          const { body: made } = await post('/contacts', { external_id: newUuid() });
          const isReceived = () => receiver.requests.some(({ rawBody }) => rawBody.includes(made.id));
          await vi.waitUntil(isReceived, { timeout: patienceMs, interval: 10 });
        }),
      ]);
      return { post: posted, run, delivery, runId };
    },
    stop: () => receiver.close(),
  };
};
