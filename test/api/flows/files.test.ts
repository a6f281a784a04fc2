import { describe, expect, test } from 'vitest';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { useApi } from '../../helpers/api.ts';
import { setRole } from '../../helpers/states/accounts.ts';
import { aFlowDefinition, flowCalls, type Flow } from '../../helpers/flows.ts';

const api = await useApi();

type File = {
  parley_flow: number;
  name: string;
  definition: { blocks: Record<string, unknown>[] };
  needs: { fields: Record<string, unknown>[]; tags: string[]; credentials: object[]; flows: string[] };
  left_out: string[];
};
type Imported = {
  flow: Flow;
  made: { fields: string[] };
  missing: { type: string; name: string; reason: string }[];
};

/** An account with calls of its flows, and of what they need. */
const anAccountWith = async ({
  fields = [],
  flows = [],
  hasCredential = false,
}: {
  fields?: object[];
  flows?: string[];
  hasCredential?: boolean;
} = {}) => {
  const account = await api.createAccount();
  const calls = flowCalls(api, account);
  for (const field of fields) expect((await calls.call('POST', '/custom-fields', field)).status).toBe(201);
  const ids: string[] = [];
  for (const name of flows) ids.push((await calls.create(aFlowDefinition(), name)).id);
  const credential = { name: 'shop', type: 'bearer', token: 'tok-never-exported', hosts: ['a.example'] };
  if (hasCredential) expect((await calls.call('POST', '/credentials', credential)).status).toBe(201);
  return {
    ...account,
    ...calls,
    ids,
    exportOf: async (id: string, query = '') => (await calls.call<File>('GET', `/flows/${id}/export${query}`)).body,
    importOf: (file: object) => calls.call<Imported>('POST', '/flows/import', file),
  };
};

const size = { key: 'size', name: 'Size', type: 'text', options: ['S', 'M'], default: 'M' };

const needy = (flowId: string | undefined) =>
  aFlowDefinition({
    blocks: [
      { id: 'set', type: 'set_field', field: 'size', value: 'S' },
      { id: 'tag', type: 'add_tag', tag: 'Vip' },
      {
        id: 'call',
        type: 'external_request',
        method: 'GET',
        url: 'https://a.example/',
        credential: 'shop',
        headers: { Authorization: 'Bearer typed-secret', 'X-Api-Key': '{{credential.shop}}', 'X-Trace': '{{run.id}}' },
        next: { error: null, timeout: null },
      },
      { id: 'other', type: 'start_flow', flow_id: flowId, mode: 'switch' },
    ],
  });

describe('an exported flow', () => {
  test('names what it needs, and has no id and no secret of its account', async () => {
    const account = await anAccountWith({ fields: [size], flows: ['Other'], hasCredential: true });
    const { id } = await account.create(needy(account.ids[0]), 'Shirts');
    const answer = await account.call<File>('GET', `/flows/${id}/export`);
    expect(answer.body).toMatchObject({
      parley_flow: 1,
      name: 'Shirts',
      needs: {
        fields: [size],
        tags: ['vip'],
        credentials: [{ name: 'shop', type: 'bearer', hosts: ['a.example'] }],
        flows: ['Other'],
      },
      left_out: ['blocks.2.headers.Authorization'],
    });
    const [, , call, other] = answer.body.definition.blocks;
    expect(call?.['headers']).toEqual({ 'X-Api-Key': '{{credential.shop}}', 'X-Trace': '{{run.id}}' });
    expect(other).toEqual({ id: 'other', type: 'start_flow', flow: 'Other', mode: 'switch' });
    expect(answer.text).not.toMatch(/typed-secret|never-exported|flow_0/);
  });

  test("has no name of another account's flow, whose id its draft has", async () => {
    const [account, stranger] = [await anAccountWith(), await anAccountWith({ flows: ['Theirs'] })];
    const blocks = [{ id: 'a', type: 'start_flow', flow_id: stranger.ids[0] }];
    const { id } = await account.create(aFlowDefinition({ blocks }));
    const answer = await account.call<File>('GET', `/flows/${id}/export`);
    expect(answer.body.needs.flows).toEqual([]);
    expect(answer.text).not.toMatch(/Theirs|flow_0/);
  });

  test('has no typed secret either when its blocks are half-finished', async () => {
    const account = await anAccountWith();
    const blocks = [
      { type: 'external_request', headers: { 'X-Token': 'typed-secret', Cookie: { toString: 7 } } },
      'no block',
    ];
    const { id } = await account.create({ blocks });
    const file = await account.exportOf(id);
    expect(file.definition.blocks).toEqual([{ type: 'external_request', headers: {} }, 'no block']);
    expect(file.left_out.toSorted()).toEqual(['blocks.0.headers.Cookie', 'blocks.0.headers.X-Token']);
  });

  test('has no secret that is typed into the url, the query or the form of a block, and names each place', async () => {
    const account = await anAccountWith();
    const block = {
      id: 'call',
      type: 'external_request',
      method: 'POST',
      url: 'https://a.example/pay/{{params.order}}?api_key=typed-secret&to={{contact.phone}}',
      query: { access_key: 'typed-secret', limit: '10' },
      form: { password: 'typed-secret', text: 'Hello' },
      next: { error: null, timeout: null },
    };
    const { id } = await account.create(aFlowDefinition({ blocks: [block, { type: 'x', url: ['typed-secret'] }] }));
    const answer = await account.call<File>('GET', `/flows/${id}/export`);
    expect(answer.text).not.toContain('typed-secret');
    const url = 'https://a.example/pay/{{params.order}}?api_key=…&to={{contact.phone}}';
    const [call, unfinished] = answer.body.definition.blocks;
    expect(call).toEqual({ ...block, url, query: { limit: '10' }, form: { text: 'Hello' } });
    expect(unfinished).toEqual({ type: 'x', url: '…' });
    expect(answer.body.left_out.toSorted()).toEqual([
      'blocks.0.form.password',
      'blocks.0.query.access_key',
      'blocks.0.url',
      'blocks.1.url',
    ]);
  });

  test('tells an agent the names of credentials and of headers, and nothing else of them', async () => {
    const account = await anAccountWith({ fields: [size], flows: ['Other'], hasCredential: true });
    const { id } = await account.create(needy(account.ids[0]), 'Shirts');
    await setRole(api.db, account.userId, 'agent');
    const { session } = account;
    const answer = await api.request<File>('GET', `/dashboard/api/flows/${id}/export`, { session });
    expect(answer).toMatchObject({ status: 200, body: { needs: { fields: [size], credentials: [{ name: 'shop' }] } } });
    expect(answer.body.needs.credentials).toEqual([{ name: 'shop' }]);
    const { body } = await account.importOf(answer.body);
    expect(body.missing.map(({ type }) => type)).toEqual(['header', 'header', 'header']);
    expect(answer.text).not.toContain('credential.shop');
    const elsewhere = await (await anAccountWith()).importOf(answer.body);
    expect(elsewhere.body.missing).toContainEqual({ type: 'credential', name: 'shop', reason: 'not_there' });
  });

  test('is its draft, or the version that is asked for', async () => {
    const account = await anAccountWith();
    const { id } = await account.createLive(aFlowDefinition({ text: 'One' }));
    await account.save(id, aFlowDefinition({ text: 'Two' }));
    expect((await account.exportOf(id)).definition).toEqual(aFlowDefinition({ text: 'Two' }));
    expect((await account.exportOf(id, '?version=1')).definition).toEqual(aFlowDefinition({ text: 'One' }));
    expect((await account.call('GET', `/flows/${id}/export?version=2`)).status).toBe(404);
    const stranger = await anAccountWith();
    expect((await stranger.call('GET', `/flows/${id}/export`)).status).toBe(404);
  });
});

describe('an import', () => {
  const exported = async () => {
    const account = await anAccountWith({ fields: [size], flows: ['Other'], hasCredential: true });
    return account.exportOf((await account.create(needy(account.ids[0]), 'Shirts')).id);
  };

  test('makes a draft that means the same, with the fields that are missing, and says what it did not make', async () => {
    const account = await anAccountWith({ flows: ['Other'] });
    const answer = await account.importOf(await exported());
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      flow: { name: 'Shirts', status: 'draft', version: null },
      made: { fields: ['size'] },
      missing: [
        { type: 'credential', name: 'shop', reason: 'not_there' },
        { type: 'header', name: 'blocks.2.headers.Authorization', reason: 'left_out' },
      ],
    });
    const { body } = await account.draft(answer.body.flow.id);
    expect(body.definition).toMatchObject({ blocks: [{}, {}, {}, { type: 'start_flow', flow_id: account.ids[0] }] });
    const errors = answer.body.flow.issues.filter(({ severity }) => severity === 'error');
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['unknown_credential']));
    const fields = await account.call<{ data: object[] }>('GET', '/custom-fields');
    expect(fields.body.data).toMatchObject([size]);
  });

  test('keeps the names of blocks and where they stand on the canvas', async () => {
    const account = await anAccountWith();
    const named = {
      ...aFlowDefinition({ blocks: [{ id: 'hi', type: 'send', name: 'Say hello', messages: [{ text: 'Hi' }] }] }),
      ui: { positions: { hi: { x: 40, y: 80 }, gone: { x: 0, y: 0 } } },
    };
    const { id } = await account.create(named, 'Named');
    const { body } = await account.importOf(await account.exportOf(id));
    expect(body.flow.issues).toEqual([]);
    expect((await account.draft(body.flow.id)).body.definition).toEqual(named);
    expect((await account.call('POST', `/flows/${body.flow.id}/publish`)).status).toBe(200);
  });

  test('of an export into the same account needs nothing but its typed secrets', async () => {
    const account = await anAccountWith({ fields: [size], flows: ['Other'], hasCredential: true });
    const { id } = await account.create(needy(account.ids[0]), 'Shirts');
    const { body } = await account.importOf(await account.exportOf(id));
    expect([body.made.fields, body.missing.map(({ type }) => type)]).toEqual([[], ['header']]);
  });

  test('of a file with a masked url says so, and the flow is not published before it is filled in', async () => {
    const account = await anAccountWith();
    const url = 'https://a.example/?api_key=typed-secret';
    const block = { id: 'call', type: 'external_request', method: 'GET', url, query: { token: 'typed-secret' } };
    const definition = aFlowDefinition({ blocks: [{ ...block, next: { error: null, timeout: null } }] });
    const { id } = await account.create(definition);
    const { body } = await account.importOf(await account.exportOf(id));
    expect(body.missing).toEqual([
      { type: 'query', name: 'blocks.0.query.token', reason: 'left_out' },
      { type: 'url', name: 'blocks.0.url', reason: 'left_out' },
    ]);
    const leftOut = { severity: 'error', code: 'left_out', path: 'blocks.0.url' };
    expect(body.flow.issues).toMatchObject([leftOut]);
    const refused = await account.call('POST', `/flows/${body.flow.id}/publish`);
    expect([refused.status, refused.body.error.details]).toMatchObject([422, [leftOut]]);
    await account.save(body.flow.id, definition);
    expect((await account.call('POST', `/flows/${body.flow.id}/publish`)).status).toBe(200);
  });

  test.each([
    ['no flow of that name', [], 'not_there'],
    ['two of them', ['Other', 'Other'], 'several'],
  ])('with %s leaves the start_flow block to be finished', async (_, flows, reason) => {
    const account = await anAccountWith({ flows, fields: [{ ...size, type: 'list', default: null }] });
    const { body } = await account.importOf(await exported());
    expect(body.missing).toEqual(
      expect.arrayContaining([
        { type: 'flow', name: 'Other', reason },
        { type: 'field', name: 'size', reason: 'other_type' },
      ]),
    );
    expect(body.flow.issues).toContainEqual(
      expect.objectContaining({ path: 'blocks.3.flow_id', code: 'invalid_shape' }),
    );
  });

  test('starts no flow of the archive', async () => {
    const account = await anAccountWith({ flows: ['Other'] });
    const archived = await account.call('POST', `/flows/${account.ids[0]}/archive`);
    expect(archived.status).toBe(200);
    const { body } = await account.importOf(await exported());
    expect(body.missing).toContainEqual({ type: 'flow', name: 'Other', reason: 'not_there' });
  });

  test('says that the credential of its name is of another type', async () => {
    const account = await anAccountWith({ hasCredential: true });
    const file = await exported();
    const [credential] = file.needs.credentials;
    const needs = { ...file.needs, credentials: [{ ...credential, type: 'basic' }] };
    const { body } = await account.importOf({ ...file, needs });
    expect(body.missing).toContainEqual({ type: 'credential', name: 'shop', reason: 'other_type' });
  });

  test("keeps an id of another account's flow out of reach", async () => {
    const stranger = await anAccountWith({ flows: ['Theirs'] });
    const account = await anAccountWith();
    const file = await exported();
    const blocks = [{ id: 'a', type: 'start_flow', flow_id: stranger.ids[0] }];
    const { body } = await account.importOf({ ...file, definition: aFlowDefinition({ blocks }) });
    expect(body.flow.issues).toMatchObject([{ code: 'unknown_flow' }]);
  });

  test.each([
    ['another form', { parley_flow: 2 }, 'parley_flow'],
    ['a definition that is no object', { definition: [] }, 'definition'],
    ['an unknown field', { secrets: [] }, 'secrets'],
    [
      'a field of a reserved key',
      { needs: { fields: [{ ...size, key: 'email' }], tags: [], credentials: [], flows: [] } },
      'needs.fields.0.key',
    ],
    [
      'a default that its field cannot hold',
      { needs: { fields: [{ ...size, default: 'XXL' }], tags: [], credentials: [], flows: [] } },
      'needs.fields.0.default',
    ],
  ])('of a file with %s is 422, and makes nothing', async (_, wrong, path) => {
    const account = await anAccountWith();
    const answer = await account.importOf({ ...(await exported()), ...wrong });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toMatchObject([{ path, message: expect.any(String), code: expect.any(String) }]);
    expect((await account.call<{ data: object[] }>('GET', '/flows')).body.data).toEqual([]);
    expect((await account.call<{ data: object[] }>('GET', '/custom-fields')).body.data).toEqual([]);
  });

  test('that is repeated with its Idempotency-Key makes one flow', async () => {
    const account = await anAccountWith();
    const file = await exported();
    const once = () => account.call<Imported>('POST', '/flows/import', file, { 'idempotency-key': 'import-once' });
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect((await account.call<{ data: object[] }>('GET', '/flows')).body.data).toHaveLength(1);
  });
});

test('an export of what is not there is 404', async () => {
  const { call } = await anAccountWith();
  expect((await call('GET', `/flows/${showId('flow', newUuid())}/export`)).status).toBe(404);
});
