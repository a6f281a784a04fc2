import { expect, test } from 'vitest';
import { z } from 'zod';
import { useApi } from '../helpers/api.ts';
import { countRows } from '../helpers/rows.ts';
import { isToldFor, wrongBodies } from '../helpers/wrong-bodies.ts';

const api = await useApi({ config: { trustProxy: () => true } });
const { apiKey: key, session } = await api.createAccount();

const operation = z.object({
  security: z.array(z.unknown()).optional(),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }).optional() }) })
    .optional(),
});
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.unknown() }),
});
const { paths, components } = document.parse((await api.request('GET', '/openapi.json')).body);

/** What paths name; what ids name is looked up after the body. */
const named: Readonly<Record<string, string>> = { kind: 'reply', list: 'contacts', tab: 'a'.repeat(20) };

const isInbound = (path: string): boolean => path.endsWith('/inbound');

/** Fields of a sender never refuse a message, but are skipped (inbound.test.ts), and a list of messages is answered one by one (inbound-lists.test.ts). */
const isAnsweredOtherwise = (path: string, place: string): boolean =>
  isInbound(path) && ((place.startsWith('sender.') && place !== 'sender.external_id') || /^0(\.|$)/.test(place));

/** Every operation that takes JSON, of users, keys and anybody. */
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, told]) => {
    if (method === 'servers') return [];
    const { requestBody, security } = operation.parse(told);
    const { schema } = requestBody?.content['application/json'] ?? {};
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? 'nothing');
    const isOpen = security?.length === 0;
    return schema === undefined ? [] : [{ method: method.toUpperCase(), path: place, isOpen, schema }];
  }),
);

/** Another network for each request: what anybody may ask has fewer tries in a minute than this test has. */
let network = 0;
const fromElsewhere = (): string => {
  network += 1;
  return `198.18.${Math.floor(network / 250)}.${1 + (network % 250)}`;
};

type Refused = { error: { code: string; message: string; details?: { path: string; message: string }[] } };

const ask = (
  { method, path, isOpen }: (typeof operations)[number],
  body: unknown,
  headers: Record<string, string> = {},
) =>
  api.request<Refused | undefined>(method, path, {
    ...(isOpen ? {} : path.startsWith('/dashboard/') ? { session } : { key }),
    body,
    headers: { ...headers, ...(isOpen && { origin: api.deps.config.baseUrl, 'x-forwarded-for': fromElsewhere() }) },
  });

test('no operation that takes a body is left out', () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(operations.filter(({ isOpen }) => isOpen).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /dashboard/api/session',
    'POST /dashboard/api/session/link',
    'POST /dashboard/api/password-reset',
    'PUT /dashboard/api/password-reset',
    'POST /dashboard/api/invitations/preview',
    'POST /dashboard/api/invitations/accept',
  ]);
  expect(operations.filter(({ path }) => isInbound(path))).toHaveLength(2);
});

test.for(operations)('$method $path refuses a wrong type of each field in words, and stores nothing', async (to) => {
  const before = await countRows(api.db);
  const wrong = wrongBodies(to.schema, components.schemas).filter(({ place }) => !isAnsweredOtherwise(to.path, place));
  expect(wrong.length).toBeGreaterThan(0);
  const faults: string[] = [];
  for (const { place, kind, body } of wrong) {
    const answer = await ask(to, body);
    const { code, details = [] } = answer.body?.error ?? { code: 'none' };
    const problem = details.find(({ path }) => isToldFor(place, path));
    if (answer.status !== 422 || code !== 'invalid_request' || !problem?.message.includes(' '))
      faults.push(`${place} of type ${kind}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  expect(faults).toEqual([]);
  expect(await countRows(api.db)).toEqual(before);
});

test.for(operations)('$method $path takes nothing but one JSON object, and stores nothing of others', async (to) => {
  const before = await countRows(api.db);
  const answers: string[] = [];
  for (const [body, type = 'application/json'] of [
    ['{}', 'text/plain'],
    ['{}', 'application/x-www-form-urlencoded'],
    ['{"cut'],
    ['null'],
    ['"text"'],
    ['7'],
    ['[]'],
    ['[[]]'],
  ] as const) {
    // A list of messages, each of which is answered by itself.
    if (body === '[[]]' && isInbound(to.path)) continue;
    const { status, body: said } = await ask(to, body, { 'content-type': type });
    answers.push(`${body} as ${type}: ${status} ${said?.error.code}`);
  }
  const expected = [
    '{} as text/plain: 415 unsupported_media_type',
    '{} as application/x-www-form-urlencoded: 415 unsupported_media_type',
    '{"cut as application/json: 400 invalid_json',
    'null as application/json: 422 invalid_request',
    '"text" as application/json: 422 invalid_request',
    '7 as application/json: 422 invalid_request',
    '[] as application/json: 422 invalid_request',
    ...(isInbound(to.path) ? [] : ['[[]] as application/json: 422 invalid_request']),
  ];
  expect(answers).toEqual(expected);
  expect(await countRows(api.db)).toEqual(before);
});
