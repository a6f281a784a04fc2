import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startTracing } from '../../src/shared/platform/telemetry/tracing.ts';
import { useApi } from '../helpers/api.ts';
import { aContact } from '../helpers/builders.ts';
import { startCollector } from '../helpers/collector.ts';
import { reportAttack } from './report.ts';

const api = await useApi();
const account = await api.createAccount();

/** What stands in every reference, and must stand nowhere else. */
const secret = 'visitor-4711';

const hostile = [
  ...['%', '%zz', '%0', '%u0041', '%E0%A4%A', '%FF', '%ED%A0%80', '%F4%90%80%80', '%C0%AF'].map(
    (escape) => `external:${secret}${escape}`,
  ),
  ...['external', 'email', 'phone'].map((way) => `${way}:${secret}%00`),
  `%00${secret}`,
  `con_${secret}%00`,
  'external:%00',
  ...["'%20or%201=1--", '%0d%0aX-Evil:%201', '%2F..%2F..%2Fwebhooks', '%3Flimit=1', ';a=b', '%E2%80%AE'].map(
    (rest) => `external:${secret}${rest}`,
  ),
  `external:${secret}${'x'.repeat(10_000)}`,
  `external:${secret}${'%F0%9F%9A%80'.repeat(255)}`,
  ...['__proto__', 'constructor', 'toString', 'External', 'id', 'custom_fields', ''].map((way) => `${way}:${secret}`),
  'external:',
  'email:',
  'phone:',
  ':',
  'external',
  `email:${secret}@`,
  `phone:${secret}`,
];

type Operation = { method: string; below?: string; body?: unknown };

/** Everything that a path below a contact can ask for. */
const operations: readonly Operation[] = [
  { method: 'GET' },
  { method: 'PATCH', body: { last_name: 'Changed' } },
  { method: 'GET', below: '/messages' },
  { method: 'POST', below: '/messages', body: { text: secret } },
  { method: 'POST', below: '/flows', body: { flow_id: 'flow_01m7yvw2dkfakacgx9c4h2m8ra', params: { secret } } },
  { method: 'PUT', below: `/tags/${secret}` },
  { method: 'DELETE', below: `/tags/${secret}` },
];

/** The statuses of what is not there, or cannot be meant. */
const refusals = [404, 422];

test('a path that names a contact in a way that cannot be meant is 404 or 422, and no path, name or value is logged or traced', async () => {
  const collector = await startCollector();
  const log = pino({ level: 'silent' });
  const stopTracing = await startTracing({ traces: { url: collector.url, serviceName: 'parley', ratio: 1 } }, log);
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', {
    key: account.apiKey,
    body: aContact({ external_id: secret, email: `${secret}@example.com` }),
  });
  // What a malformed escape would name, if it were taken as it is.
  await api.request('POST', '/v1/contacts', { key: account.apiKey, body: { external_id: `${secret}%zz` } });
  const ask = (reference: string, { method, below = '', body }: Operation) =>
    api.request(method, `/v1/contacts/${reference}${below}`, { key: account.apiKey, body });
  const through: unknown[] = [];
  for (const reference of hostile) {
    for (const operation of operations) {
      const { status, text } = await ask(reference, operation);
      if (!refusals.includes(status) || text.includes(secret)) through.push({ ...operation, reference, status });
    }
  }
  const hostileNames = ['%', '%zz', '%FF', '%00', '%0Ax', '%E2%80%A8x', 'x'.repeat(100)].map(
    (rest) => `${secret}${rest}`,
  );
  for (const name of hostileNames) {
    for (const method of ['PUT', 'DELETE']) {
      const { status, text } = await ask(contact.id, { method, below: `/tags/${name}` });
      if (!refusals.includes(status) || text.includes(secret)) through.push({ method, name, status });
    }
  }
  const tagged = await ask(`external:${secret}`, { method: 'PUT', below: `/tags/${secret}` });
  const read = { method: 'GET' };
  const named = await ask(`external:${secret}`, read);
  // A fault of ours is logged whole.
  await api.db`alter table contacts rename column external_id to elsewhere`;
  const failed = await ask(`external:${secret}`, read);
  await api.db`alter table contacts rename column elsewhere to external_id`;
  await stopTracing();
  await collector.close();

  expect([tagged.status, named.status, failed.status]).toEqual([200, 200, 500]);
  const spans = collector.received.map((body) => JSON.stringify(body));
  expect(api.logged.some((line) => line.includes(contact.id) && line.includes('/v1/contacts/:id'))).toBe(true);
  expect(collector.spans.map(({ name }) => name)).toContain('PATCH /v1/contacts/:id');
  expect((await api.request('GET', `/v1/contacts/${contact.id}`, { key: account.apiKey })).text).not.toContain(
    'Changed',
  );
  const leaks = [...api.logged, ...spans].filter((text) => text.includes(secret));
  expect([through, leaks]).toEqual([[], []]);
  await reportAttack('contactReferences', {
    tried: operations.length * hostile.length + 2 * hostileNames.length + 3,
    through: through.length + leaks.length,
  });
});
