import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { serveOperations } from '../../src/service/serve-operations.ts';

test('a METRICS_PORT that another program has is no reason to end: a free one is taken, and the log says which', async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  onTestFinished(() => void stranger.close());
  const bound = stranger.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');

  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const served = await serveOperations((_, response) => response.end('numbers'), { port: bound.port, log });
  onTestFinished(served.stop);
  expect(served.port).not.toBe(bound.port);
  expect(await (await fetch(`http://127.0.0.1:${served.port}/`)).text()).toBe('numbers');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'metrics.port_taken', wanted: bound.port, port: served.port },
  ]);
});
