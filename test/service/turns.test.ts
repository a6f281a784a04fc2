import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurns } from '../../src/service/turns.ts';

type Ask = { path: string; headers?: Record<string, string> };

/** Requests that begin in turns, and whose have begun, by path or credential. */
const turnsOf = (bounds: Parameters<typeof inTurns>[1] = { perTurn: 2, turnsForConnections: 20 }) => {
  const begun: string[] = [];
  const { begin, noteConnection } = inTurns(({ url = '', headers }) => {
    begun.push(headers.authorization ?? headers['x-access-token']?.toString() ?? headers.cookie ?? url);
  }, bounds);
  const ask = ({ path, headers = {} }: Ask): ServerResponse => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { url: path, headers });
    const response = new ServerResponse(request);
    begin(request, response);
    return response;
  };
  return { begun, ask, noteConnection };
};

const busy = { path: '/webchat/busy/messages' };

test.for([
  { by: 'what the path names', ask: { path: '/webchat/quiet/config' }, name: '/webchat/quiet/config' },
  { by: 'the API key', ask: { path: '/v1/tags', headers: { authorization: 'quiet' } }, name: 'quiet' },
  { by: 'the access token', ask: { path: '/api/tags', headers: { 'x-access-token': 'quiet' } }, name: 'quiet' },
  { by: 'the session', ask: { path: '/dashboard/api/tags', headers: { cookie: 'quiet' } }, name: 'quiet' },
])('who asks behind a thousand requests of another one begins with its next: by $by', async ({ ask: quiet, name }) => {
  const { begun, ask } = turnsOf();
  for (let nth = 0; nth < 1_000; nth += 1) ask(busy);
  ask(quiet);
  await expect.poll(() => begun.length).toBe(1_001);
  expect(begun.indexOf(name)).toBeLessThan(5);
});

test('a crowd that names another credential each time stays one asker of a webchat', async () => {
  const { begun, ask } = turnsOf();
  for (let nth = 0; nth < 100; nth += 1)
    ask({ ...busy, headers: { 'x-access-token': String(nth), cookie: String(nth) } });
  ask({ path: '/webchat/quiet' });
  await expect.poll(() => begun.length).toBe(101);
  expect(begun.indexOf('/webchat/quiet')).toBeLessThan(5);
});

test('no more begin in a turn of the event loop than may, and where fewer come each begins at once', async () => {
  const { begun, ask } = turnsOf({ perTurn: 3, turnsForConnections: 0 });
  for (let nth = 0; nth < 7; nth += 1) ask(busy);
  const counts = [begun.length];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([3, 6, 7, 7]);
  ask(busy);
  expect(begun).toHaveLength(8);
});

test('a request whose client has gone while it waited does not begin', async () => {
  const { begun, ask } = turnsOf();
  const responses = Array.from({ length: 10 }, () => ask(busy));
  for (const response of responses.slice(5)) response.destroy();
  ask({ path: '/last/one' });
  await expect.poll(() => begun).toContain('/last/one');
  await nextTurn();
  expect(begun.filter((path) => path === busy.path)).toHaveLength(5);
});

test('while connections come none begins, but they keep it no longer than so many turns', async () => {
  const { begun, ask, noteConnection } = turnsOf({ perTurn: 2, turnsForConnections: 5 });
  noteConnection();
  ask(busy);
  const counts: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
    noteConnection();
  }
  expect(counts).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
});
