import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { readId } from '../../src/shared/ids.ts';
import { startCarrier, type CarrierService } from '../helpers/carrier/service.ts';
import { kindsWithCarrier } from '../helpers/carrier/kinds.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';

type Channel = { id: string; type: string; name: string; carrier_url: string; signature: string | null };
type Refused = { error: { code: string; message: string; details?: unknown[]; conflict_with?: { id: string } } };

const api = await useApi({ channelKinds: kindsWithCarrier });
let account: TestAccount;
let service: CarrierService;
beforeEach(async () => {
  account = await api.createAccount();
  service = await startCarrier();
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const given = () => ({ type: 'carrier', name: 'Short messages', carrier_url: service.url, token: 'token-1' });
const create = <Body = Channel>(changes: object = {}, key?: string) =>
  as<Body>('POST', '/v1/channels', { ...given(), ...changes }, key);
const change = <Body = Channel>({ id }: Channel, changes: object) => as<Body>('PATCH', `/v1/channels/${id}`, changes);
const rows = () => api.db`select id from channels where account_id = ${account.accountId}`;

describe('a channel of a kind that a service connects', () => {
  test('is added and connected, and no answer and no row shows its token', async () => {
    const { status, body, text } = await create({ signature: ' – Acme' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^chn_/),
      type: 'carrier',
      name: 'Short messages',
      carrier_url: service.url,
      signature: ' – Acme',
      created_at: expect.any(String),
    });
    expect(service.asked()).toEqual(['POST /me token-1', 'POST /hook token-1']);
    expect(service.bodies('/hook')).toEqual([{ url: `${api.url}/carrier/${body.id}` }]);
    expect((await as('GET', `/v1/channels/${body.id}`)).body).toEqual(body);
    const [row] = await api.db`select * from channels where id = ${readId('channel', body.id)}`;
    expect(`${text}${JSON.stringify(row)}`).not.toContain('token-1');
    expect(row).toMatchObject({ externalRef: service.accounts.get('token-1'), callbackUrl: null });
  });

  test.for([
    ['a field of another kind', { callback_url: 'https://example.com/' }, 'callback_url'],
    ['no token', { token: undefined }, 'token'],
    ['a field of no kind', { colour: 'red' }, 'colour'],
    ['a token that the service refuses', { token: 'token-9' }, 'token'],
  ] as const)('with %s is refused in words with 422, and nothing is written', async ([, changes, path]) => {
    const { status, body } = await create<Refused>(changes);
    expect(status).toBe(422);
    expect(body.error.details).toMatchObject([{ path, message: expect.any(String) }]);
    expect(await rows()).toHaveLength(0);
  });

  test('is removed again when the service refuses to connect it', async () => {
    service.answer('/hook', 403);
    const { status, body } = await create<Refused>();
    expect(status).toBe(422);
    expect(body.error.details).toMatchObject([{ path: 'token', message: 'is refused by the carrier' }]);
    expect(await rows()).toHaveLength(0);
    service.answer('/hook', 200);
    expect((await create()).status).toBe(201);
  });

  test('is refused with 503 when the service does not answer, and nothing is written', async () => {
    for (const path of ['/hook', '/me']) {
      service.answer(path, { type: 'close' });
      expect(await create<Refused>()).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    }
    expect(await rows()).toHaveLength(0);
  });

  test('is refused with 409 while another channel has its account, which only that account is told', async () => {
    const { body: first } = await create();
    const before = service.bodies('/hook').length;
    const again = await create<Refused>();
    expect(again).toMatchObject({ status: 409, body: { error: { conflict_with: { id: first.id } } } });
    const stranger = await api.createAccount();
    const theirs = await create<Refused>({}, stranger.apiKey);
    expect(theirs.status).toBe(409);
    expect(theirs.text).not.toContain(first.id);
    expect(service.bodies('/hook')).toHaveLength(before);
  });

  test('of an account that is connected twice at the same time is connected once', async () => {
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(service.bodies('/hook')).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('is connected anew when its token changes, and its other fields stay', async () => {
    const { body: channel } = await create({ signature: '!' });
    service.accounts.set('token-2', randomUUID());
    const { status, body } = await change(channel, { token: 'token-2' });
    expect(status).toBe(200);
    expect(body).toEqual(channel);
    expect(service.asked().slice(2)).toEqual(['POST /me token-2', 'POST /hook token-2', 'DELETE /hook token-1']);
    expect((await create()).status).toBe(201);
  });

  test('is changed in its name without a word to the service', async () => {
    const { body: channel } = await create();
    expect((await change(channel, { name: 'Other' })).body).toEqual({ ...channel, name: 'Other' });
    expect(service.asked()).toHaveLength(2);
  });

  test('keeps its config when the service refuses the new one: 422', async () => {
    const { body: channel } = await create();
    service.accounts.set('token-2', randomUUID());
    service.answer('/hook', ({ headers }) => (headers.authorization === 'token-2' ? 403 : 200));
    expect((await change(channel, { token: 'token-2', signature: '?' })).status).toBe(422);
    expect((await as('GET', `/v1/channels/${channel.id}`)).body).toEqual(channel);
    await as('DELETE', `/v1/channels/${channel.id}`);
    expect(service.asked().at(-1)).toBe('DELETE /hook token-1');
  });

  test('takes no field of another kind, and has no secret to rotate', async () => {
    const { body: channel } = await create();
    const { status, body } = await change<Refused>(channel, { callback_url: null });
    expect(status).toBe(422);
    expect(body.error.details).toEqual([
      { path: 'callback_url', message: 'is no field of a channel of type carrier', code: 'unknown_field' },
    ]);
    expect((await as('POST', `/v1/channels/${channel.id}/rotate-secret`)).status).toBe(409);
  });

  test('is disconnected when it is deleted, also where the service does not hear of it', async () => {
    const { body: channel } = await create();
    service.answer('/hook', 500);
    expect((await as('DELETE', `/v1/channels/${channel.id}`)).status).toBe(204);
    expect(service.asked().at(-1)).toBe('DELETE /hook token-1');
    expect((await as('GET', `/v1/channels/${channel.id}`)).status).toBe(404);
    service.answer('/hook', 200);
    expect((await create()).status).toBe(201);
  });
});

test('a flow whose messages a channel of the account does not take is published with a warning', async () => {
  const blocks = [{ id: 'say', type: 'send', messages: [{ text: 'x'.repeat(161) }] }];
  const definition = { schema_version: 1, start: 'say', blocks };
  const publish = async () => {
    const { body: flow } = await as<{ id: string }>('POST', '/v1/flows', { name: 'Long', definition });
    return as<{ issues: { code: string }[] }>('POST', `/v1/flows/${flow.id}/publish`);
  };
  expect((await publish()).body.issues).toEqual([]);
  const { body: channel } = await create();
  expect(await publish()).toMatchObject({ status: 200, body: { issues: [{ code: 'over_channel_limit' }] } });
  await as('DELETE', `/v1/channels/${channel.id}`);
  expect((await publish()).body.issues).toEqual([]);
});
