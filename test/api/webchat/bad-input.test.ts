import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newUuid, readId, showId } from '../../../src/shared/ids.ts';
import { createReturnToken } from '../../../src/shared/messages/webchat/links.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { countRows } from '../../helpers/rows.ts';
import { expireLinks } from '../../helpers/states/channels.ts';
import { routesOfChannel, type WebchatRoute } from '../../helpers/webchat/routes.ts';
import {
  aChat,
  anIdentity,
  aVisitor,
  aWebchat,
  site,
  type TestVisitor,
  type TestWebchat,
} from '../../helpers/webchat/visitor.ts';
import { isToldFor, wrongBodies } from '../../helpers/wrong-bodies.ts';

// What every route of a webchat answers to bad requests. Too many of them: bounds.test.ts. Other people: identity.test.ts.

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
let visitor: TestVisitor;
beforeEach(async () => {
  ({ account, channel, visitor } = await aChat(api));
  await visitor.say('Hello');
});

type Refused = { error: { code: string; message: string; details?: { path: string; message: string }[] } } | undefined;
type Changes = { of?: TestVisitor; body?: unknown; headers?: Record<string, string> };

const ask = ({ method, path, body }: WebchatRoute, { of = visitor, headers = {}, ...given }: Changes = {}) =>
  of.ask<Refused>(method, path, { body: 'body' in given ? given.body : body?.(), headers });

/** Status and code of an answer that is in words: one whole sentence at least. */
const sayRefusal = ({ status, body }: { status: number; body: Refused }): string => {
  const { code = 'none', message = '' } = body?.error ?? {};
  return `${status} ${/^[A-Z\d`].{8,}\.$/s.test(message) ? code : `without words: ${message}`}`;
};

type Refusals = readonly (readonly [what: string, refusal: string, ask: () => ReturnType<typeof ask>])[];

/** The requests that are not refused so, and the tables that have other rows afterwards. */
const findFaults = async (refusals: Refusals): Promise<string[]> => {
  const before = await countRows(api.db);
  const faults: string[] = [];
  for (const [what, refusal, request] of refusals) {
    const said = sayRefusal(await request());
    if (said !== refusal) faults.push(`${what}: ${said}`);
  }
  const after = await countRows(api.db);
  return [...faults, ...Object.keys(after).filter((table) => after[table] !== before[table])];
};

/** A good JSON body of the route, with changes. */
const bodyOf = ({ body }: WebchatRoute, changes: object = {}): Record<string, unknown> => ({
  ...z.record(z.string(), z.unknown()).parse(body?.()),
  ...changes,
});

const withToken = (token: string | undefined): TestVisitor => Object.assign(aVisitor(api, channel), { token });

/** Of a browser that the visitor has no more: its twenty newest keep theirs. */
const forgottenToken = async (): Promise<string | undefined> => {
  const browsers = Array.from({ length: 21 }, () => aVisitor(api, channel));
  for (const browser of browsers) await browser.identify(anIdentity(channel.secret, 'ada'));
  return browsers[0]?.token;
};

describe.for(routesOfChannel)('$route stores nothing, and refuses in words', (route) => {
  test('a wrong token, or none where it needs one', async () => {
    const elsewhere = aVisitor(api, await aWebchat(api, account));
    await elsewhere.say('Hello');
    const forgotten = await forgottenToken();
    const of = (token: string | undefined) => () => ask(route, { of: withToken(token) });
    expect(
      await findFaults([
        ['of another channel', '401 unauthorized', of(elsewhere.token)],
        ['of nobody', '401 unauthorized', of('a'.repeat(43))],
        ['forgotten', '401 unauthorized', of(forgotten)],
        ['no token', '401 unauthorized', of('nonsense')],
        ['with a quote', '401 unauthorized', of(`${'a'.repeat(42)}'`)],
        ['the key of the account', '401 unauthorized', of(account.apiKey)],
        ...(route.isOfVisitor ? [['none', '401 unauthorized', of(undefined)] as const] : []),
      ]),
    ).toEqual([]);
  });

  test('a channel that is not there, is deleted, or is of another type', async () => {
    const make = { key: account.apiKey, body: { type: 'api', name: 'Server' } };
    const other = await api.request<{ id: string }>('POST', '/v1/channels', make);
    const deleted = await aWebchat(api, account);
    await api.request('DELETE', `/v1/channels/${deleted.id}`, { key: account.apiKey });
    const at = (id: string) => () => ask(route, { of: Object.assign(aVisitor(api, { id }), { token: visitor.token }) });
    const ids = [showId('channel', newUuid()), deleted.id, other.body.id, 'chn_x', '%00', '..%2f..', 'x'.repeat(2_000)];
    expect(await findFaults(ids.map((id) => [id, '404 not_found', at(id)]))).toEqual([]);
  });

  test('pages of other sites, which cannot read the answer', async () => {
    const origins = ['https://evil.example', `${site}.evil.example`, 'http://shop.example', 'null', `${site}:8443`];
    const from = (origin: string) => () => ask(route, { headers: { origin } });
    expect(await findFaults(origins.map((origin) => [origin, '403 forbidden', from(origin)]))).toEqual([]);
    for (const origin of origins)
      expect((await from(origin)()).headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('another method', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      expect([method, (await visitor.ask(method, route.path)).status]).toEqual([method, 405]);
  });
});

const takeJson = routesOfChannel.filter(({ schema }) => schema !== undefined);

describe.for(takeJson)('$route stores nothing, and refuses in words', (route) => {
  test('what is not one JSON object of its size', async () => {
    const json = JSON.stringify(route.body?.());
    const as =
      (body: unknown, headers: Record<string, string> = {}) =>
      () =>
        ask(route, { body, headers });
    expect(
      await findFaults([
        ['no body', '400 invalid_json', as(undefined, { 'content-type': 'application/json' })],
        ['cut JSON', '400 invalid_json', as('{"text"')],
        ['broken UTF-8', '400 invalid_json', as(Buffer.from('{"text":"\xff"}', 'latin1'))],
        ['a list', '422 invalid_request', as('[]')],
        ['null', '422 invalid_request', as('null')],
        ['a text', '422 invalid_request', as('"text"')],
        ['an unknown field', '422 invalid_request', as(bodyOf(route, { contact_id: 'con_1' }))],
        ['many values', '422 invalid_request', as(bodyOf(route, { many: Array(100).fill(1) }))],
        ['100 KB', '413 payload_too_large', as(bodyOf(route, { more: 'x'.repeat(100_000) }))],
        ['plain text', '415 unsupported_media_type', as(json, { 'content-type': 'text/plain' })],
        ['a form', '415 unsupported_media_type', as(json, { 'content-type': 'application/x-www-form-urlencoded' })],
        ['compressed', '415 unsupported_media_type', as(json, { 'content-encoding': 'gzip' })],
      ]),
    ).toEqual([]);
  });

  test('a wrong type of each field, and each field that is missing, by its place', async () => {
    const before = await countRows(api.db);
    const schema = z.toJSONSchema(route.schema ?? z.never(), { io: 'input', unrepresentable: 'any' });
    const wrong = wrongBodies(schema).map(({ place, kind, body }) => ({
      place,
      kind,
      body: bodyOf(route, Object(body)),
    }));
    const missing = (schema.required ?? []).map((place) => ({
      place,
      kind: 'missing',
      body: bodyOf(route, { [place]: undefined }),
    }));
    const faults: string[] = [];
    for (const { place, kind, body } of [...wrong, ...missing]) {
      const answer = await ask(route, { body });
      const problems = answer.body?.error.details ?? [];
      if (
        answer.status !== 422 ||
        !problems.some(({ path, message }) => isToldFor(place, path) && message.includes(' '))
      )
        faults.push(`${place}, ${kind}: ${answer.status} ${answer.text}`);
    }
    expect([...wrong, ...missing].length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    expect(await countRows(api.db)).toEqual(before);
  });
});

describe('what only one route can be asked wrongly is refused in words, and nothing is stored:', () => {
  const aMessage = (changes: object = {}) => ({ client_id: randomUUID(), text: 'Hello', ...changes });
  const anyHash = 'a'.repeat(64);
  test.for([
    ['a message of white space', 'POST', '/messages', aMessage({ text: ' \n ' }), '422 invalid_request'],
    ['one of 10,001 characters', 'POST', '/messages', aMessage({ text: 'x'.repeat(10_001) }), '422 invalid_request'],
    ['one with a short id', 'POST', '/messages', aMessage({ client_id: 'a' }), '422 invalid_request'],
    ['one with a path for an id', 'POST', '/messages', aMessage({ client_id: '../'.repeat(8) }), '422 invalid_request'],
    ['a negative revision', 'POST', '/read', { revision: -1 }, '422 invalid_request'],
    ['a revision beyond all', 'POST', '/read', { revision: 1e300 }, '422 invalid_request'],
    [
      'a hash of other letters',
      'POST',
      '/identify',
      { external_id: 'a', expires_at: 1, hash: 'x'.repeat(64) },
      '422 invalid_request',
    ],
    [
      'an identity without end',
      'POST',
      '/identify',
      { external_id: 'a', expires_at: 1e300, hash: anyHash },
      '422 invalid_request',
    ],
    ['a link that is none', 'POST', '/return', { token: 'a'.repeat(43) }, '403 forbidden'],
    ['a revision in words', 'GET', '/changes?after=soon', undefined, '422 invalid_request'],
    ['two revisions', 'GET', '/changes?after=1&after=2', undefined, '422 invalid_request'],
    ['an unknown parameter', 'GET', '/changes?limit=1000', undefined, '422 invalid_request'],
    ['a message that is none', 'GET', '/changes?before=1', undefined, '422 invalid_request'],
    ['a stream from words', 'GET', '/stream?after=soon', undefined, '422 invalid_request'],
    ['a stream backwards', 'GET', '/stream?before=msg_1', undefined, '422 invalid_request'],
    ['an empty file', 'POST', '/media?name=a', Buffer.alloc(0), '422 invalid_request'],
    [
      'a file of 16 MiB and a byte',
      'POST',
      '/media?name=a',
      Buffer.alloc(16 * 1024 * 1024 + 1),
      '413 payload_too_large',
    ],
    ['two names of a file', 'POST', '/media?name=a&name=b', Buffer.from('x'), '422 invalid_request'],
    ['a path that is none', 'GET', '/unheard', undefined, '404 not_found'],
  ] as const)('%s', async ([, method, path, body, refusal]) => {
    // What was too large for it ends the connection.
    const headers = { connection: 'close' };
    expect(await findFaults([['it', refusal, () => visitor.ask<Refused>(method, path, { body, headers })]])).toEqual(
      [],
    );
  });

  test.for([
    ['compressed', { 'content-encoding': 'gzip' }],
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }],
  ] as const)('a file that is %s', async ([, headers]) => {
    const send = () => visitor.ask<Refused>('POST', '/media?name=a', { body: Buffer.from('x'), headers });
    expect(await findFaults([['it', '415 unsupported_media_type', send]])).toEqual([]);
  });
});

test('a link of a mail that has expired is refused in words, and stores nothing', async () => {
  const [{ id } = { id: '' }] = await api.db<{ id: string }[]>`
    select id from webchat_visitors where channel_id = ${readId('channel', channel.id)}`;
  const token = await createReturnToken(api.db, id);
  await expireLinks(api.db);
  const send = () => visitor.ask<Refused>('POST', '/return', { body: { token } });
  expect(await findFaults([['it', '403 forbidden', send]])).toEqual([]);
});

test('what PostgreSQL cannot hold is replaced', async () => {
  expect((await visitor.say('a\u0000b')).body.message.text).toBe('a\ufffdb');
});
