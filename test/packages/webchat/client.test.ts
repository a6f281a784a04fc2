import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { loadClient } from '../../helpers/webchat/widget.ts';

/** A server that answers `good`, refuses `bad`, and begins `lasting` without an end. */
const serve = async (): Promise<string> => {
  const server = createServer(({ url }, response) => {
    if (url === '/lasting') return void response.write('begun');
    response.writeHead(url === '/bad' ? 429 : 200, { 'content-type': 'application/json' });
    return void response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test.for(['good', 'bad'])(
  'a request for something %s leaves no listener on the signal of its session',
  async (path) => {
    const client = await loadClient(await serve());
    const { signal } = new AbortController();
    for (let nth = 0; nth < 3; nth += 1) await client.request('GET', path, { signal }).catch(() => {});
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  },
);

test('an answer that goes on ends with the signal of its session', async () => {
  const client = await loadClient(await serve());
  const session = new AbortController();
  const { body } = await client.open('lasting', { signal: session.signal });
  const read = body?.getReader();
  expect(new TextDecoder().decode((await read?.read())?.value)).toBe('begun');
  session.abort();
  await expect(read?.read()).rejects.toThrow('aborted');
});
