import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../helpers/api.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { reportAttack } from './report.ts';

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
  await api.db`update users set role = 'agent' where id = ${userId}`;
  const seen = await read();
  expect(seen).toContain('?token=…');
  const logged = api.logged.join('\n');
  expect(logged).not.toContain(receiver.url(''));
  await reportAttack('tokensInUrls', { tried: paths.length, through: leaks(seen) + leaks(logged) });
});
