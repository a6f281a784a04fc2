import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLookup } from '../../src/shared/platform/egress/lookup.ts';
import { hashPassword } from '../../src/shared/platform/secrets/passwords.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { byTheClock } from '../helpers/by-the-clock.ts';
import { startLiveApi, type LiveApi } from '../helpers/live-world.ts';
import { startNameServer, type NameServer } from '../helpers/name-server.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { reportAttack } from './report.ts';

const webhooks = 50;
const registrations = 300;
const healthy = ['a.test', 'b.test', 'c.test'];
/** Half of what a silent name takes; a machine that runs nothing else beside this is ten times as fast. */
const limitMs = 4_000;

let [live, names, receiver]: [LiveApi?, NameServer?, Receiver?] = [];
let gone = false;
/** Ends what hangs, when all has been measured. */
let over = new AbortController();

beforeEach(async () => {
  gone = false;
  over = new AbortController();
  names = await startNameServer((name) =>
    name.startsWith('silent-') || (gone && name.startsWith('gone-'))
      ? { type: 'silent' }
      : { type: 'addresses', addresses: ['127.0.0.1'] },
  );
  const lookup = createLookup({ servers: [names.address] });
  live = await startLiveApi({ lookup: (name, signal) => lookup(name, AbortSignal.any([signal, over.signal])) });
  receiver = await startReceiver({ certificateFor: healthy });
});
afterEach(async () => {
  await Promise.all([live?.stop(), receiver?.close()]);
  names?.close();
});

test(
  'an account whose names are never answered holds up neither the events nor the sign-ins of another',
  byTheClock,
  async () => {
    if (!live || !names || !receiver) throw new Error('not started');
    const { api, world, key } = live;
    const attacker = await api.createAccount();
    const as = (method: string, path: string, body: unknown) =>
      api.request<{ id: string }>(method, path, { key: attacker.apiKey, body });
    const webhook = (host: string) => ({ url: `https://${host}/hook`, events: ['*'], secret: 'a secret of its own' });
    const register = (host: string) => as('POST', '/v1/webhooks', webhook(host));
    // The account's keys have 200 of its requests in progress, and its user the rest.
    const registerAt = (i: number) =>
      i < 200
        ? register(`silent-${i}.test`)
        : api.request('POST', '/dashboard/api/webhooks', {
            session: attacker.session,
            body: webhook(`silent-${i}.test`),
          });

    // What it has registered while its names were answered is attempted beside what it registers now.
    const registered = await Promise.all(Array.from({ length: webhooks }, (_, i) => register(`gone-${i}.test`)));
    expect(new Set(registered.map(({ status }) => status))).toEqual(new Set([201]));
    const channel = await as('POST', '/v1/channels', { type: 'api', name: 'Shop' });
    names.asked.length = 0;
    gone = true;
    const hanging = () => new Set(names?.asked).size / 2;
    await as('POST', `/v1/channels/${channel.body.id}/inbound`, anInboundMessage());
    await vi.waitUntil(() => hanging() >= webhooks, { timeout: 30_000, interval: 10 });
    const answers = Promise.all(Array.from({ length: registrations }, (_, i) => registerAt(i)));
    await vi.waitUntil(() => hanging() >= 256, { timeout: 30_000, interval: 10 });

    const slow: string[] = [];
    const timed = async (what: string, work: () => Promise<unknown>): Promise<number> => {
      const startedMs = performance.now();
      await work();
      const tookMs = Math.round(performance.now() - startedMs);
      if (tookMs > limitMs) slow.push(`${what}: ${tookMs} ms`);
      return tookMs;
    };
    const ids = await Promise.all(healthy.map((host) => world.aWebhook({ url: receiver?.url('/hook', host) ?? '' })));
    const tookMs = await timed('an event', async () => {
      await world.anEvent();
      await receiver?.waitFor(healthy.length);
    });
    const body = { url: 'https://another.test/hook', events: ['*'], secret: 'a secret of my own' };
    await timed('a registration', () => api.request('POST', '/v1/webhooks', { key, body }));
    await timed('a password', () => hashPassword('correct horse'));
    await timed('a file', () => readFile(import.meta.filename));

    over.abort();
    const statuses = (await answers).map(({ status, headers }) => `${status} ${String(headers['retry-after'] ?? '')}`);
    expect(new Set(statuses)).toEqual(new Set(['422 ', '503 5']));
    const disabled = await world.db`select 1 from webhooks where id = any(${ids}) and status = 'disabled'`;
    const failed = await world.db`select 1 from attempts where webhook_id = any(${ids}) and outcome = 'failed'`;
    expect(slow).toEqual([]);
    await reportAttack('silentNames', {
      tried: webhooks + registrations,
      through: slow.length + failed.length + disabled.length,
      note: `measured: an event of the other account reaches its ${healthy.length} webhooks in ${tookMs} ms`,
    });
  },
);
