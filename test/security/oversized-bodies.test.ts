import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { sessionCookieName } from '../../src/api/session-cookie.ts';
import { useApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

const api = await useApi();
const account = await api.createAccount();

const { port, host } = new URL(api.url);

const credentials = {
  '/v1': `Authorization: Bearer ${account.apiKey}`,
  '/api': `X-ACCESS-TOKEN: ${account.apiKey}`,
  '/dashboard/api': `Cookie: ${sessionCookieName(api.deps.config)}=${account.session}\r\nOrigin: ${api.url}`,
};

const prefixes = ['/v1', '/api', '/dashboard/api'] as const;

type Target = { method: string; path: string };

/** Sends the head of a request. `answer` is the first that comes back, '' when the connection ends without one. */
const begin = async ({ method, path }: Target, headers: string, { credential = true } = {}) => {
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // A reset is an end, too.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answer = Promise.race([
    new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes)))),
    closed.then(() => ''),
  ]);
  await once(socket, 'connect');
  const prefix = prefixes.find((one) => path.startsWith(`${one}/`));
  const known = prefix && credential ? `${credentials[prefix]}\r\n` : '';
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${known}Content-Type: application/json\r\n${headers}\r\n\r\n`,
  );
  return { socket, answer, closed };
};

/** The status and code of an answer. */
const read = (answer: string): string =>
  `${/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'no answer'} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`.trim();

const ask = async (target: Target, headers: string, body: Buffer | string = ''): Promise<string> => {
  const { socket, answer } = await begin(target, headers);
  socket.write(body);
  const text = await answer;
  socket.destroy();
  return read(text);
};

const chunkBytes = 64 * 1024;

const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;

/** A body of so many blanks in chunks. */
const chunked = (bytes: number): string =>
  `${chunk(chunkBytes).repeat(Math.floor(bytes / chunkBytes))}${bytes % chunkBytes > 0 ? chunk(bytes % chunkBytes) : ''}0\r\n\r\n`;

const operation = z.object({
  parameters: z.array(z.object({ name: z.string() })).default([]),
  requestBody: z.object({ description: z.string() }).optional(),
});
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** `limit` is undefined where no body is taken. */
type Operation = Target & { limit: number | undefined; isIdempotent: boolean };

/** Every operation, with the largest body that the document says that it takes, in bytes. It names nothing that is there. */
const listOperations = async (): Promise<Operation[]> => {
  const { paths } = document.parse((await api.request('GET', '/openapi.json')).body);
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, told]) => {
        const { requestBody, parameters } = operation.parse(told);
        const [, limit] = /^At most ([\d.]+) KiB\.$/.exec(requestBody?.description ?? '') ?? [];
        if (requestBody && limit === undefined) expect.fail(`${method} ${path} does not say its limit`);
        const named = path
          .replace('{version}', '1')
          .replace('{list}', 'contacts')
          .replace('{kind}', 'reply')
          .replace(/\{\w+\}/g, 'nothing');
        return {
          method: method.toUpperCase(),
          path: named,
          limit: limit === undefined ? undefined : Number(limit) * 1024,
          isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
        };
      }),
  );
};

const operations = await listOperations();
const takeBodies = operations.flatMap(({ limit, ...target }) => (limit === undefined ? [] : [{ ...target, limit }]));
/** What they do again or not is told by a body, too, although they take none. */
const readStrayBodies = operations.filter(({ limit, isIdempotent }) => limit === undefined && isIdempotent);
const strayLimit = 16 * 1024;

/** Runs `work` for all of them, eight at once. */
const forEach = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of left) await work(item);
    }),
  );
};

test('each operation takes a body of the limit that the document says, and refuses one byte more, and any that is compressed', async () => {
  expect(takeBodies.length).toBeGreaterThan(60);
  const faults: string[] = [];
  await forEach(takeBodies, async ({ limit, ...target }) => {
    const answers = {
      'the limit': await ask(target, `Content-Length: ${limit}`, ' '.repeat(limit)),
      'the limit, of unknown length': await ask(target, 'Transfer-Encoding: chunked', chunked(limit)),
      'a byte more, announced': await ask(target, `Content-Length: ${limit + 1}`),
      'a byte more, of unknown length': await ask(target, 'Transfer-Encoding: chunked', chunked(limit + 1)),
      'a compressed body': await ask(target, 'Content-Encoding: gzip\r\nContent-Length: 100'),
    };
    const taken = target.path.endsWith('/media') ? '201' : '400 invalid_json';
    const expected = [taken, taken, '413 payload_too_large', '413 payload_too_large', '415 unsupported_media_type'];
    Object.entries(answers).forEach(([what, answer], index) => {
      if (answer !== expected[index]) faults.push(`${target.method} ${target.path}, ${what}: ${answer}`);
    });
  });
  await forEach(readStrayBodies, async (target) => {
    const answer = await ask(target, `Idempotency-Key: large\r\nContent-Length: ${strayLimit + 1}`);
    if (answer !== '413 payload_too_large') faults.push(`${target.method} ${target.path}, a byte too much: ${answer}`);
  });
  expect(readStrayBodies.length).toBeGreaterThan(5);
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
  const bombHeaders = `Content-Encoding: gzip\r\nContent-Length: ${bomb.length}`;
  expect(await ask({ method: 'POST', path: '/v1/contacts' }, bombHeaders, bomb)).toBe('415 unsupported_media_type');
  const stray = { method: 'POST', path: '/v1/replays/nothing/pause' };
  const headers = `Idempotency-Key: small\r\nContent-Length: ${strayLimit}`;
  expect(await ask(stray, headers, ' '.repeat(strayLimit))).toBe('404 not_found');
  expect(faults).toEqual([]);
  const tried = takeBodies.length * 3 + readStrayBodies.length + 1;
  await reportAttack('oversizedBodies', {
    tried,
    through: faults.length,
    note: `${takeBodies.length + readStrayBodies.length} operations`,
  });
}, 60_000);

/** Writes as fast as it is read, until the connection ends. */
const writeOn = (socket: Socket): void => {
  const bytes = chunk(chunkBytes);
  const write = (): void => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
};

test('whoever sends a body without end is answered and cut off, whether the body is wanted, refused or of no interest', async () => {
  const wanted = takeBodies.filter(
    ({ limit, path }, index) =>
      takeBodies.findIndex((one) => one.limit === limit && one.path.split('/')[1] === path.split('/')[1]) === index,
  );
  const anOperation = { method: 'POST', path: '/v1/contacts' };
  const ofUnknownLength = 'Transfer-Encoding: chunked';
  const senders: { target: Target; headers: string; credential?: boolean; answer: string }[] = [
    ...wanted.flatMap((target) => [
      { target, headers: ofUnknownLength, answer: '413 payload_too_large' },
      { target, headers: `Content-Length: ${2 ** 40}`, answer: '413 payload_too_large' },
    ]),
    { target: anOperation, headers: ofUnknownLength, credential: false, answer: '401 unauthorized' },
    {
      target: anOperation,
      headers: `${ofUnknownLength}\r\nContent-Encoding: gzip`,
      answer: '415 unsupported_media_type',
    },
    { target: { method: 'GET', path: '/v1/contacts' }, headers: ofUnknownLength, answer: '200' },
    { target: { method: 'DELETE', path: '/v1/tags/nothing' }, headers: ofUnknownLength, answer: '404 not_found' },
    {
      target: { method: 'POST', path: '/v1/replays/nothing/pause' },
      headers: ofUnknownLength,
      answer: '404 not_found',
    },
    {
      target: { method: 'POST', path: '/v1/replays/nothing/pause' },
      headers: `${ofUnknownLength}\r\nIdempotency-Key: a`,
      answer: '413 payload_too_large',
    },
    { target: { method: 'POST', path: '/nowhere' }, headers: ofUnknownLength, answer: '404 not_found' },
    { target: { method: 'POST', path: '/health/live' }, headers: ofUnknownLength, answer: '405 method_not_allowed' },
  ];
  const through: string[] = [];
  let most = 0;
  await Promise.all(
    senders.map(async ({ target, headers, credential = true, answer: expected }) => {
      const { socket, answer, closed } = await begin(target, headers, { credential });
      writeOn(socket);
      const got = read(await answer);
      if (got !== expected) through.push(`${target.method} ${target.path} (${headers}): ${got}`);
      await closed;
      most = Math.max(most, socket.bytesWritten);
    }),
  );
  const mib = Math.ceil(most / 1024 / 1024);
  await reportAttack('endlessBodies', {
    tried: senders.length,
    through: through.length,
    note: `at most ${mib} MiB written`,
  });
  expect(through).toEqual([]);
  // Most of it waits in the buffers of the operating system, and was never read.
  expect(mib).toBeLessThan(40);
}, 60_000);
