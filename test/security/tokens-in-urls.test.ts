import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { startApi, type TestApi } from '../helpers/api.ts';
import { startDeliveryWorld } from '../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { reportAttack } from './report.ts';
import { setRole } from '../helpers/states/accounts.ts';

let api: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  [api, receiver] = [await startApi(), await startReceiver()];
});
afterAll(async () => {
  await Promise.all([api.stop(), receiver.close()]);
});

const tokens = ['0b8a9f9c6c1e4f6e', 'hidden-in-the-query', 'XXXXabcdXXXXabcdXXXX', 'another-value'];

/** How often a text gives a token away. */
const leaks = (text: string): number => tokens.filter((token) => text.includes(token)).length;

test('an agent sees webhooks without the tokens in their urls, owner and API keys with them, and no log line has a url', async () => {
  const { apiKey, session, userId } = await api.createAccount();
  const [a, b] = [`/in/${tokens[0]}?token=${tokens[1]}`, `/in/${tokens[2]}?key=${tokens[3]}`];
  const made = [
    await api.request<{ id: string }>('POST', '/v1/webhooks', {
      key: apiKey,
      body: { url: receiver.url(a), events: ['*'], secret: 'a secret of my own' },
    }),
    // Its challenge fails, so that what was asked is told, too.
    await api.request<{ id: string }>('POST', '/dashboard/api/webhooks', {
      session,
      body: { url: receiver.url(b), events: ['*'] },
    }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const [, dashboard] = made;
  const moved = { url: receiver.url(`${b}&more=${tokens[1]}`) };
  await api.request('PATCH', `/dashboard/api/webhooks/${dashboard?.body.id}`, { session, body: moved });
  const paths = ['', ...made.map(({ body }) => `/${body.id}`)].map((path) => `/dashboard/api/webhooks${path}`);
  const read = async () => {
    const answers = await Promise.all(paths.map((path) => api.request('GET', path, { session })));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    return answers.map(({ text }) => text).join('\n');
  };

  expect(leaks(await read())).toBe(4);
  expect(leaks((await api.request('GET', '/v1/webhooks', { key: apiKey })).text)).toBe(2);
  await setRole(api.db, userId, 'agent');
  const seen = await read();
  expect(seen).toContain('?token=…');
  const logged = api.logged.join('\n');
  expect(logged).not.toContain(receiver.url(''));
  await reportAttack('tokensInUrls', { tried: paths.length, through: leaks(seen) + leaks(logged) });
});

test('whatever comes of an attempt, no log line has a url', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
  const world = await startDeliveryWorld({ log });
  onTestFinished(world.stop);
  const path = `/in/${tokens[0]}?token=${tokens[1]}`;
  receiver.respondWith({ type: 'close' });
  const urls = [
    receiver.url(path),
    `https://127.0.0.1:9${path}`,
    `https://10.0.0.1${path}`,
    `https://nowhere.invalid${path}`,
  ];
  for (const url of urls) await world.aWebhook({ url });
  for (const id of await world.anEvent()) {
    const deliveryId = showId('delivery', id);
    await world.activities
      .attemptDelivery({ deliveryId, round: 1, kind: 'scheduled', number: 1 })
      // A failed attempt may be told as an error; what is asked here is what was logged.
      .catch(() => {});
  }
  const lines = logged.join('\n');
  expect(logged.filter((line) => line.includes('delivery.attempted'))).toHaveLength(urls.length);
  expect(leaks(lines)).toBe(0);
  expect(lines).not.toContain('https:');
});
