import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sessionCookieName } from '../../src/api/session-cookie.ts';
import { startApi, type TestAccount, type TestApi } from '../helpers/api.ts';
import { aVisitor, aWebchat } from '../helpers/webchat/visitor.ts';
import { reportAttack } from './report.ts';

const attacker = '192.0.2.1';

type Asked = { api: TestApi; account: TestAccount; channel: string };

/** Who holds requests whose bodies do not come, and how many they may have when nobody else is there. */
const holders = [
  {
    who: 'API keys',
    most: 200,
    head: ({ account }: Asked) => ['POST /v1/contacts HTTP/1.1', `Authorization: Bearer ${account.apiKey}`],
  },
  {
    who: 'a user',
    most: 200,
    head: ({ api, account }: Asked) => [
      'POST /dashboard/api/contacts HTTP/1.1',
      `Cookie: ${sessionCookieName(api.deps.config)}=${account.session}`,
      `Origin: ${api.deps.config.baseUrl}`,
    ],
  },
  {
    who: 'visitors of a network',
    most: 100,
    head: ({ channel }: Asked) => [`POST /webchat/${channel}/messages HTTP/1.1`, `X-Forwarded-For: ${attacker}`],
  },
];

/** The status that each of them gets. */
const askers: Record<string, (asked: Asked & { other: TestAccount; linked: string }) => Promise<{ status: number }>> = {
  'API keys': ({ api, account }) => api.request('GET', '/v1/contacts', { key: account.apiKey }),
  'a user': ({ api, account }) => api.request('GET', '/dashboard/api/contacts', { session: account.session }),
  'visitors of a network': ({ api, channel }) =>
    aVisitor(api, { id: channel }, { address: attacker }).ask('GET', '/config'),
  'visitors of another network': ({ api, channel }) =>
    aVisitor(api, { id: channel }, { address: '192.0.2.2' }).ask('GET', '/config'),
  'readers of files': ({ api, linked }) => api.request('GET', linked, { headers: { 'x-forwarded-for': '192.0.2.3' } }),
  'another account': ({ api, other }) => api.request('GET', '/v1/contacts', { key: other.apiKey }),
};

test.for(holders)('requests held by $who take their share alone, and everybody else goes on', async (holder) => {
  const api = await startApi({ config: { trustProxy: () => true } });
  onTestFinished(api.stop);
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  const channel = (await aWebchat(api, account)).id;
  const file = await api.request<{ url: string }>('POST', '/v1/media?name=a.txt', {
    key: account.apiKey,
    body: 'some text',
    headers: { 'content-type': 'text/plain' },
  });
  const linked = file.body.url.replace(api.url, '');
  const sockets: Socket[] = [];
  const letGo = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(letGo);
  let refused = 0;
  /** A request whose body does not come: it is under way until its connection ends. */
  const hold = async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.once('data', (data) => {
      if (String(data).startsWith('HTTP/1.1 429 ')) refused += 1;
    });
    const head = holder.head({ api, account, channel });
    socket.write(
      [...head, 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 100', '', ''].join('\r\n'),
    );
  };
  const tried = holder.most + 20;
  await Promise.all(Array.from({ length: tried }, hold));
  await expect.poll(() => refused, { timeout: 60_000 }).toBe(20);
  const ask = async (who: string) => (await askers[who]?.({ api, account, channel, other, linked }))?.status;
  const statuses: Record<string, number | undefined> = {};
  for (const who of Object.keys(askers)) statuses[who] = await ask(who);
  const everybody = Object.fromEntries(Object.keys(askers).map((who) => [who, who === holder.who ? 429 : 200]));
  letGo();
  expect(statuses).toEqual(everybody);
  await reportAttack('heldRequests', {
    tried,
    through: Math.max(0, tried - refused - holder.most),
    note: `${holder.most} of ${holder.who}`,
  });
  await expect.poll(() => ask(holder.who), { timeout: 60_000 }).toBe(200);
});
