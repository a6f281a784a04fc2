import { describe, expect, test } from 'vitest';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { useApi } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls, type Flow } from '../../helpers/flows.ts';
import { secretNames } from '../../helpers/secret-names.ts';
import { setRole } from '../../helpers/states/accounts.ts';
import { insertFlows } from '../../helpers/states/flows.ts';

const api = await useApi();
const account = await api.createAccount();
const { call, create, publish, save, draft, read } = flowCalls(api, account);

describe('POST /v1/flows', () => {
  test('answers 201 with a flow that nobody enters yet', async () => {
    const answer = await call<Flow>('POST', '/flows', { name: ' Shirts ', definition: aFlowDefinition() });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^flow_/),
      name: 'Shirts',
      status: 'draft',
      version: null,
      draft_revision: 1,
      draft_changed: true,
      published_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      issues: [],
    });
  });

  test('takes a half-finished draft, and says everything that is missing at once', async () => {
    const { issues } = await create({ blocks: [{ id: 'a', type: 'snd' }, { type: 'send' }], colour: 'red' });
    expect(issues).toContainEqual({
      severity: 'error',
      code: 'unknown_block_type',
      block_id: 'a',
      path: 'blocks.0.type',
      message: expect.any(String),
      hint: expect.stringContaining('Did you mean "send"'),
    });
    expect(issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['start', 'schema_version', 'colour', 'blocks.1.id', 'blocks.1.messages']),
    );
  });

  test.each([
    ['a list', []],
    ['a text', 'ask'],
    ['33 nested objects', JSON.parse('{"a":'.repeat(33) + '1' + '}'.repeat(33))],
    ['more than a million characters', { a: 'x'.repeat(1_048_577) }],
    ['more than 25,000 values', { a: Array.from({ length: 25_001 }, () => 0) }],
  ])('refuses %s as a definition with 422, and stores nothing', async (_, definition) => {
    const before = await api.db`select from flows`;
    const answer = await call('POST', '/flows', { name: 'x', definition });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
    expect((await api.db`select from flows`).count).toBe(before.count);
  });

  test('a body over its bound is 413', async () => {
    const answer = await call('POST', '/flows', { name: 'x', definition: { a: 'x'.repeat(1_200_000) } });
    expect(answer.status).toBe(413);
  });

  test('an account has at most 500 flows, and those in the archive make room', async () => {
    const full = await api.createAccount();
    const { create: createIn, call: callIn } = flowCalls(api, full);
    const { id } = await createIn();
    await insertFlows(api.db, full.accountId, 499);
    const refused = await callIn('POST', '/flows', { name: 'one more' });
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('500')]);
    await callIn('POST', `/flows/${id}/archive`);
    expect((await callIn('POST', '/flows', { name: 'one more' })).status).toBe(201);
    expect((await callIn('POST', `/flows/${id}/unarchive`)).status).toBe(409);
  });
});

describe('the draft', () => {
  test('comes with its issues as they are now, and with an ETag', async () => {
    const { id } = await create(aFlowDefinition({ blocks: [{ id: 'a', type: 'clear_field', field: 'size' }] }));
    const before = await draft(id);
    expect([before.status, before.headers['etag']]).toEqual([200, '"1"']);
    expect(before.body).toMatchObject({ flow_id: id, revision: 1, definition: { start: 'a' } });
    expect(before.body.issues).toMatchObject([{ code: 'unknown_field', path: 'blocks.0.field', block_id: 'a' }]);
    await call('POST', '/custom-fields', { key: 'size', name: 'Size', type: 'text' });
    expect((await draft(id)).body.issues).toEqual([]);
  });

  test('is replaced, and the same again changes nothing', async () => {
    const { id } = await create();
    const saved = await save(id, aFlowDefinition({ text: 'Hi' }));
    expect([saved.status, saved.headers['etag'], saved.body.issues]).toEqual([200, '"2"', []]);
    expect((await save(id, aFlowDefinition({ text: 'Hi' }))).headers['etag']).toBe('"2"');
    expect((await draft(id)).body.definition).toEqual(aFlowDefinition({ text: 'Hi' }));
    expect(await read(id)).toMatchObject({ draft_revision: 2, draft_changed: true });
  });

  test.each([
    ['the present ETag', '"1"', 200],
    ['any', '*', 200],
    ['one of several', '"7", "1"', 200],
    ['an old ETag', '"0"', 412],
    ['a weak ETag', 'W/"1"', 412],
    ['no ETag at all', 'latest', 412],
  ])('is replaced only when If-Match allows it: %s', async (_, tag, status) => {
    const { id } = await create();
    const answer = await save(id, aFlowDefinition({ text: 'Hi' }), { 'if-match': tag });
    expect([answer.status, answer.body.error?.code]).toEqual([
      status,
      status === 412 ? 'precondition_failed' : undefined,
    ]);
    expect((await draft(id)).body.revision).toBe(status === 412 ? 1 : 2);
  });

  test('of two who change the same revision at once, one is told that the other was first', async () => {
    const { id } = await create();
    const texts = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(texts.map((text) => save(id, aFlowDefinition({ text }), { 'if-match': '"1"' })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412', '412', '412']);
    const winner = texts[answers.findIndex(({ status }) => status === 200)];
    expect((await draft(id)).body).toMatchObject({ revision: 2, definition: aFlowDefinition({ text: winner ?? '' }) });
  });

  test('is checked as it is sent, or as it is stored, and checking changes nothing', async () => {
    const { id } = await create();
    const check = (body?: object) => call<{ valid: boolean; issues: object[] }>('POST', `/flows/${id}/validate`, body);
    expect((await check()).body).toEqual({ valid: true, issues: [] });
    const wrong = await check({ definition: aFlowDefinition({ blocks: [{ id: 'a', type: 'goto', block: 'b' }] }) });
    expect(wrong.body).toMatchObject({ valid: false, issues: [{ code: 'missing_target', path: 'blocks.0.block' }] });
    expect((await draft(id)).body.revision).toBe(1);
  });

  test('500 blocks are stored and read again, and 501 are an issue', async () => {
    const blocks = Array.from({ length: 500 }, (_, n) => ({
      id: `ask_${n}`,
      type: 'ask',
      prompt: `Question ${n}?`,
      expects: 'choice',
      choices: ['S', 'M', 'L'],
      next: { invalid: null, timeout: null },
    }));
    const flow = await create(aFlowDefinition({ blocks }));
    expect(flow.issues).toEqual([]);
    expect((await draft(flow.id)).body.definition['blocks']).toEqual(blocks);
    const more = await save(flow.id, aFlowDefinition({ blocks: [...blocks, { id: 'last', type: 'end' }] }));
    expect(more.body.issues).toContainEqual(expect.objectContaining({ code: 'too_many_blocks', path: 'blocks' }));
  });
});

test('flows are listed newest first, by state, and renamed', async () => {
  const { call: callIn, create: createIn, createLive } = flowCalls(api, await api.createAccount());
  const [first, second] = [await createIn(aFlowDefinition(), 'One'), await createLive(aFlowDefinition(), 'Two')];
  const list = async (query: string) =>
    (await callIn<{ data: Flow[] }>('GET', `/flows${query}`)).body.data.map(({ name }) => name);
  expect(await list('')).toEqual(['Two', 'One']);
  expect(await list('?status=live')).toEqual(['Two']);
  expect((await callIn('GET', '/flows?status=gone')).status).toBe(422);
  const renamed = await callIn<Flow>('PATCH', `/flows/${first.id}`, { name: 'Three' });
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Three']);
  expect((await callIn('PATCH', `/flows/${second.id}`, { name: 'a\nb' })).status).toBe(422);
});

test('a flow of another account, one that is not there, and what is no id are 404 at every operation', async () => {
  const other = flowCalls(api, await api.createAccount());
  const { id } = await other.createLive();
  const operations = `
    GET /flows/ID
    GET /flows/ID/draft
    GET /flows/ID/versions
    GET /flows/ID/versions/1
    POST /flows/ID/validate
    POST /flows/ID/publish
    POST /flows/ID/versions/1/restore
    POST /flows/ID/pause
    POST /flows/ID/resume
    POST /flows/ID/archive
    POST /flows/ID/unarchive`
    .trim()
    .split('\n')
    .map((line) => [...line.trim().split(' '), undefined] as const);
  const withBody = [
    ['PATCH', '/flows/ID', { name: 'x' }],
    ['PUT', '/flows/ID/draft', { definition: aFlowDefinition({ text: 'mine' }) }],
  ] as const;
  const answers = new Set<string>();
  for (const [method = '', path = '', body] of [...operations, ...withBody]) {
    for (const place of [id, showId('flow', newUuid()), 'flow_x', '%00']) {
      const { status, body: refusal } = await call(method, path.replace('ID', place), body);
      answers.add(`${status} ${refusal.error?.code}`);
    }
  }
  expect([...answers]).toEqual(['404 not_found']);
  expect(await other.read(id)).toMatchObject({ status: 'live', draft_revision: 1 });
});

test('agents, who may not change a flow, read it without secrets that were typed into its requests', async () => {
  const secretive = await api.createAccount();
  const calls = flowCalls(api, secretive);
  const headers = {
    Authorization: 'Bearer typed-secret',
    'X-Trace': '{{run.id}}',
    'X-Shop': 'typed-secret',
    ...Object.fromEntries(secretNames.slice(1, 16).map((name) => [`X-${name}`, 'typed-secret'])),
  };
  const url = 'https://a.example/?api_key=typed-secret&to={{contact.phone}}';
  const query = { ...Object.fromEntries(secretNames.map((name) => [name, 'typed-secret'])), limit: '10' };
  const block = { id: 'call', type: 'external_request', method: 'GET', url, query, headers };
  const next = { error: null, timeout: null };
  const { id } = await calls.createLive(aFlowDefinition({ blocks: [{ ...block, next }] }));
  const read = (path: string) =>
    api.request<{ definition: unknown }>('GET', `/dashboard/api/flows/${id}${path}`, { session: secretive.session });
  for (const path of ['/draft', '/versions/1']) expect((await read(path)).text).toContain('Bearer typed-secret');
  await setRole(api.db, secretive.userId, 'agent');
  for (const path of ['/draft', '/versions/1', '/export'])
    expect((await read(path)).text).not.toContain('typed-secret');
  const hidden = {
    url: 'https://a.example/?api_key=…&to={{contact.phone}}',
    query: { Token: '(hidden)', limit: '10' },
    headers: { Authorization: '(hidden)', 'X-Trace': '(hidden)', 'X-Shop': '(hidden)' },
  };
  expect((await read('/draft')).body.definition).toMatchObject({ blocks: [{ id: 'call', ...hidden }] });
  expect((await read('/export')).body.definition).toMatchObject({ blocks: [{ headers: {}, query: { limit: '10' } }] });

  // A draft need not be in order.
  await setRole(api.db, secretive.userId, 'editor');
  const odd = { ...block, headers: ['Key: typed-secret'], next };
  await calls.call('PUT', `/flows/${id}/draft`, { definition: aFlowDefinition({ blocks: [odd] }) });
  expect((await read('/draft')).text).toContain('Key: typed-secret');
  expect((await read('/export')).text).not.toContain('typed-secret');
  await setRole(api.db, secretive.userId, 'agent');
  for (const path of ['/draft', '/export']) expect((await read(path)).text).not.toContain('typed-secret');
});

test('a flow that starts one that is not live is told so', async () => {
  const other = await create();
  const blocks = [{ id: 'a', type: 'start_flow', flow_id: other.id }];
  const { id, issues } = await create(aFlowDefinition({ blocks }));
  expect(issues).toMatchObject([{ severity: 'warning', code: 'flow_not_live', path: 'blocks.0.flow_id' }]);
  await publish(other.id);
  expect((await draft(id)).body.issues).toEqual([]);
});
