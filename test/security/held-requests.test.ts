import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

test('an account that holds many requests has its share of the places, and gets them back', async () => {
  const api = await startApi();
  onTestFinished(api.stop);
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  const sockets: Socket[] = [];
  const letGo = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(letGo);
  let told = 0;
  /** A request whose body does not come: it is under way until its connection ends. */
  const hold = async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.once('data', (data) => {
      if (String(data).startsWith('HTTP/1.1 429 ')) told += 1;
    });
    const head = ['POST /v1/contacts HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${account.apiKey}`];
    socket.write([...head, 'Content-Type: application/json', 'Content-Length: 100', '', ''].join('\r\n'));
  };
  const tried = 320;
  await Promise.all(Array.from({ length: tried }, hold));
  await expect.poll(() => told, { timeout: 60_000 }).toBe(20);
  const read = async (apiKey: string) => (await api.request('GET', '/v1/contacts', { key: apiKey })).status;
  expect(await read(account.apiKey)).toBe(429);
  const answer = await read(other.apiKey);
  letGo();
  await reportAttack('heldRequests', { tried, through: Math.max(0, tried - told - 300) + (answer === 200 ? 0 : 1) });
  await expect.poll(() => read(account.apiKey), { timeout: 60_000 }).toBe(200);
});
