import { vi } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import type { Caller, Installation } from './installation.ts';
import { aContact, aFlow, make } from './make.ts';

/** What a neighbour waits for. */
export const measures = ['post', 'run', 'delivery'] as const;

/** How long each took, in ms: an answer, from an enrollment to the end of its run, and from an event to its receipt. */
export type Took = Record<(typeof measures)[number], number>;

/** More than anything may take, in ms. */
const patienceMs = 60_000;

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await act();
  return performance.now() - since;
};

/** An account that does a little: what it does once, all three at the same time, and how long each takes. */
export const aNeighbour = async ({ createCaller, receiver }: Installation): Promise<() => Promise<Took>> => {
  // Whoever has a connection already would not notice that no other one is let in.
  const caller = await createCaller('neighbour', { connection: 'close' });
  const contactId = await aContact(caller);
  const flow_id = await aFlow(caller, [{ id: 'note', type: 'add_tag', tag: 'seen' }]);
  const hook = { url: receiver.url('/neighbour'), events: ['new_contact'], secret: 'a-secret-that-is-long-enough' };
  await make(caller, '/webhooks', hook);
  return async () => {
    const [post, run, delivery] = await Promise.all([
      timed(() => make(caller, '/tags', { name: newUuid() })),
      timed(async () => endOf(caller, await make(caller, `/contacts/${contactId}/flows`, { flow_id }))),
      timed(async () => {
        const id = await aContact(caller);
        await receiver.waitFor((all) => all.some(({ rawBody }) => rawBody.includes(id)), patienceMs);
      }),
    ]);
    return { post, run, delivery };
  };
};

const endOf = ({ call }: Caller, runId: string): Promise<unknown> =>
  vi.waitUntil(async () => (await call('GET', `/runs/${runId}`)).body['status'] === 'completed', {
    timeout: patienceMs,
    interval: 20,
  });
