import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';
import { createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { withReactions } from '../../src/shared/facts/tell.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { startApi, type TestApi } from '../helpers/api.ts';

type Document = { paths: Record<string, Record<string, { security?: object[] }>> };

let db: Database;
let api: TestApi;
beforeAll(async () => {
  const target = `postgres://parley@127.0.0.1:${await pickPort()}/parley`;
  db = connectDatabase(target, { max: 2 });
  const secrets = createSecrets(randomBytes(32));
  const transact = withReactions(
    reactions,
    createTransact(db, () => {}),
  );
  api = await startApi({ world: { db, target, secrets, transact, metrics: createMetrics() } });
});
afterAll(async () => {
  await api.stop();
  await db.end();
});

test('while PostgreSQL is away every operation that asks for a credential says 503, in the shape of all errors, and when to come back', async () => {
  const { body } = await api.request<Document>('GET', '/openapi.json');
  const operations = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { security }]) =>
      security ? [{ path, method: method.toUpperCase() }] : [],
    ),
  );
  expect(operations.length).toBeGreaterThan(40);
  const answers = operations.map(async ({ path, method }) => {
    const answer = await api.request(method, path.replaceAll(/\{\w+\}/g, '1'), {
      key: `pk_${'a'.repeat(40)}`,
      session: 'a'.repeat(43),
      headers: { 'x-access-token': `pk_${'a'.repeat(40)}` },
      ...(method !== 'GET' && { body: {} }),
    });
    return { path, method, answer };
  });
  for (const { path, method, answer } of await Promise.all(answers)) {
    expect({ path, method, status: answer.status, body: answer.body, again: answer.headers['retry-after'] }).toEqual({
      path,
      method,
      status: 503,
      body: {
        error: {
          code: 'unavailable',
          message: 'The database does not answer now. Try again in a moment.',
          request_id: answer.headers['x-request-id'],
        },
      },
      again: '5',
    });
  }
});

test('while PostgreSQL is away nobody can sign in, and is told so in the same shape', async () => {
  const answer = await api.request('POST', '/dashboard/api/session', {
    headers: { origin: api.url },
    body: { email: 'ada@example.com', password: 'correct horse' },
  });
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
});
