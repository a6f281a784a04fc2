import { describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { useApi, type TestAccount } from '../helpers/api.ts';
import { anOrder } from '../helpers/builders.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { setDepth } from '../helpers/states/runs.ts';

const api = await useApi();
const account = await api.createAccount();
const other = await api.createAccount();

const say = { id: 'hello', type: 'send', messages: [{ text: 'Hello' }] };

const aContact = async ({ apiKey: key }: TestAccount) =>
  (await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: { first_name: 'Ada' } })).body.id;

const aFlowOf = async ({ accountId, apiKey: key }: TestAccount, action?: 'pause' | 'archive') => {
  const id = showId('flow', await aFlow(api.db, accountId, { blocks: [say] }));
  if (action) await api.request('POST', `/v1/flows/${id}/${action}`, { key });
  return id;
};

const enrol = (contact: string, body: unknown, { apiKey: key }: TestAccount = account) =>
  api.request<Record<string, unknown> & { error: { code: string; message: string; details: unknown } }>(
    'POST',
    `/v1/contacts/${contact}/flows`,
    { key, body },
  );

describe('a flow that calls the API', () => {
  /** What an External Request of the tenth run of a chain sends. */
  const deep = async (of: TestAccount) => {
    const { body } = await enrol(await aContact(of), { flow_id: await aFlowOf(of) }, of);
    const run = String(body['id']);
    await setDepth(api.db, readId('run', run), 10);
    return { 'idempotency-key': `${run}:call:1` };
  };
  const runsOf = async (contact: string) => {
    const { apiKey: key } = account;
    const { body } = await api.request<{ data: { status: string; reason: string | null }[] }>(
      'GET',
      `/v1/runs?contact_id=${contact}`,
      { key },
    );
    return body.data;
  };
  const call = (method: 'POST' | 'PUT', path: string, headers: Record<string, string>, body?: unknown) =>
    api.request(method, path, { key: account.apiKey, headers, body });

  test('and enrols contacts again and again is stopped as one that starts itself', async () => {
    const contact = await aContact(account);
    const answer = await call('POST', `/v1/contacts/${contact}/flows`, await deep(account), {
      flow_id: await aFlowOf(account),
    });
    expect(answer).toMatchObject({ status: 201, body: { status: 'failed' } });
    expect(await runsOf(contact)).toMatchObject([{ status: 'failed', reason: 'loop_guard' }]);
  });

  test('and applies the tag that starts it is stopped, too', async () => {
    const contact = await aContact(account);
    const id = await aFlow(api.db, account.accountId, {
      blocks: [say],
      triggers: [{ type: 'tag_applied', tag: 'again' }],
    });
    expect((await call('PUT', `/v1/contacts/${contact}/tags/again`, await deep(account))).status).toBe(200);
    expect(await runsOf(contact)).toMatchObject([
      { flow_id: showId('flow', id), status: 'failed', reason: 'loop_guard' },
    ]);
  });

  test.each(['order_placed', 'order_status_changed'])(
    'and tells of an order by the %s that starts it is stopped, too',
    async (type) => {
      const owner = await api.createAccount();
      const order = anOrder(await aContact(owner));
      const send = (method: string, path: string, body: object, headers = {}) =>
        api.request<{ id: string }>(method, path, { key: owner.apiKey, headers, body });
      const isPlaced = type === 'order_placed';
      const { body } = isPlaced ? { body: { id: '' } } : await send('POST', '/v1/orders', order);
      await aFlow(api.db, owner.accountId, { blocks: [say], triggers: [{ type }] });
      const headers = await deep(owner);
      await (isPlaced
        ? send('POST', '/v1/orders', order, headers)
        : send('PATCH', `/v1/orders/${body.id}`, { status: 'shipped' }, headers));
      const runs = await api.request('GET', `/v1/runs?contact_id=${order.contact_id}`, { key: owner.apiKey });
      expect(runs.body).toMatchObject({ data: [{ status: 'failed', reason: 'loop_guard' }] });
    },
  );

  test('and makes a contact, whose new_contact starts it, is stopped, too', async () => {
    const owner = await api.createAccount();
    await aFlow(api.db, owner.accountId, { blocks: [say], triggers: [{ type: 'new_contact' }] });
    const [headers, body] = [await deep(owner), { external_id: 'made by a flow' }];
    const { body: made } = await api.request<{ id: string }>('PUT', '/v1/contacts', {
      key: owner.apiKey,
      headers,
      body,
    });
    const runs = await api.request('GET', `/v1/runs?contact_id=${made.id}`, { key: owner.apiKey });
    expect(runs.body).toMatchObject({ data: [{ status: 'failed', reason: 'loop_guard' }] });
  });

  test('of another account causes nothing here', async () => {
    const contact = await aContact(account);
    const answer = await call('POST', `/v1/contacts/${contact}/flows`, await deep(other), {
      flow_id: await aFlowOf(account),
    });
    expect(answer).toMatchObject({ status: 201, body: { status: 'running' } });
  });
});

describe('enrolling a contact in a flow', () => {
  test('answers 201 with its run at once, which a workflow is to carry', async () => {
    const contact = await aContact(account);
    const flow = await aFlowOf(account);
    const answer = await enrol(contact, { flow_id: flow, params: { sku: 'T-100' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^run_/),
      flow_id: flow,
      flow_version: 1,
      contact_id: contact,
      status: 'running',
      started_at: expect.any(String),
    });
    expect(api.dispatched.map(({ work }) => work.kind)).toContain('run');
    const run = await api.request('GET', `/v1/runs/${String(answer.body['id'])}`, { key: account.apiKey });
    expect(run.body).toMatchObject({ status: 'running', step: 0, params: { sku: 'T-100' }, ended_at: null });
  });

  test('answers 404 for an unknown contact, an unknown flow, and those of another account', async () => {
    const [contact, flow] = [await aContact(account), await aFlowOf(account)];
    const [foreignContact, foreignFlow] = [await aContact(other), await aFlowOf(other)];
    const unknown = { contact: showId('contact', newUuid()), flow: showId('flow', newUuid()) };
    expect(await enrol(unknown.contact, { flow_id: flow })).toMatchObject({ status: 404 });
    expect(await enrol(contact, { flow_id: unknown.flow })).toMatchObject({ status: 404 });
    expect(await enrol(foreignContact, { flow_id: flow })).toMatchObject({ status: 404 });
    expect(await enrol(contact, { flow_id: foreignFlow })).toMatchObject({ status: 404 });
  });

  test.each([
    ['pause', 'paused'],
    ['archive', 'archived'],
  ] as const)('answers 409 for a flow after %s', async (action, status) => {
    const answer = await enrol(await aContact(account), { flow_id: await aFlowOf(account, action) });
    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toContain(status);
  });

  test('answers 409 that names the run when the contact is in the flow already', async () => {
    const [contact, flow] = [await aContact(account), await aFlowOf(account)];
    const first = await enrol(contact, { flow_id: flow });
    const second = await enrol(contact, { flow_id: flow });
    expect(second.status).toBe(409);
    expect(second.body.error.message).toContain(String(first.body['id']));
  });

  test('answers 422 with every problem at once, and begins nothing', async () => {
    const contact = await aContact(account);
    const answer = await enrol(contact, { params: 'none', more: 1 });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toMatchObject([{ path: 'flow_id' }, { path: 'params' }, { path: 'more' }]);
    const large = await enrol(contact, { flow_id: await aFlowOf(account), params: { text: 'x'.repeat(20_000) } });
    expect(large.status).toBe(422);
    expect(
      (await api.request<{ data: [] }>('GET', `/v1/runs?contact_id=${contact}`, { key: account.apiKey })).body.data,
    ).toEqual([]);
  });

  test('with an Idempotency-Key begins one run, however often it is sent', async () => {
    const [contact, flow] = [await aContact(account), await aFlowOf(account)];
    const ask = () =>
      api.request<{ id: string }>('POST', `/v1/contacts/${contact}/flows`, {
        key: account.apiKey,
        body: { flow_id: flow },
        headers: { 'idempotency-key': `enrol-${contact}` },
      });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second.body.id).toBe(first.body.id);
  });
});

describe('runs', () => {
  const list = async (query: string, { apiKey: key }: TestAccount = account) =>
    (await api.request<{ data: { id: string }[] }>('GET', `/v1/runs?${query}`, { key })).body.data.map(({ id }) => id);

  test('are listed by contact, flow and status, newest first', async () => {
    const contact = await aContact(account);
    const flows = [await aFlowOf(account), await aFlowOf(account)];
    const ids: unknown[] = [];
    for (const flow_id of flows) ids.push((await enrol(contact, { flow_id })).body['id']);
    expect(await list(`contact_id=${contact}`)).toEqual(ids.toReversed());
    expect(await list(`contact_id=${contact}&flow_id=${flows[0]}`)).toEqual([ids[0]]);
    expect(await list(`contact_id=${contact}&status=failed`)).toEqual([]);
    expect(await list(`contact_id=${contact}`, other)).toEqual([]);
  });

  test('of another account are 404, whatever is asked of them', async () => {
    const { body } = await enrol(await aContact(account), { flow_id: await aFlowOf(account) });
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/steps'],
      ['POST', '/cancel'],
      ['POST', '/retry'],
    ] as const) {
      const answer = await api.request(method, `/v1/runs/${String(body['id'])}${path}`, { key: other.apiKey });
      expect(answer.status).toBe(404);
    }
  });

  test('are cancelled once, and stay as they ended', async () => {
    const { body } = await enrol(await aContact(account), { flow_id: await aFlowOf(account) });
    const cancel = () => api.request('POST', `/v1/runs/${String(body['id'])}/cancel`, { key: account.apiKey });
    const first = await cancel();
    expect(first.body).toMatchObject({ status: 'cancelled', reason: 'cancelled', ended_at: expect.any(String) });
    expect((await cancel()).body).toEqual(first.body);
  });

  test('of a flow are cancelled and retried together', async () => {
    const flow_id = await aFlowOf(account);
    const contacts = [await aContact(account), await aContact(account)];
    for (const contact of contacts) await enrol(contact, { flow_id });
    const change = (action: string, body: object) =>
      api.request('POST', `/v1/runs/${action}`, { key: account.apiKey, body });
    expect((await change('cancel', { flow_id, block_id: 'elsewhere' })).body).toEqual({
      changed: 0,
      refused: 0,
      more: false,
    });
    expect((await change('cancel', { flow_id })).body).toEqual({ changed: 2, refused: 0, more: false });
    expect(await list(`flow_id=${flow_id}&status=cancelled`)).toHaveLength(2);
    expect((await change('retry', { flow_id })).body).toEqual({ changed: 0, refused: 0, more: false });
    expect((await change('cancel', {})).status).toBe(422);
    const foreign = { flow_id: await aFlowOf(other) };
    expect((await change('cancel', foreign)).status).toBe(404);
    expect((await change('retry', foreign)).status).toBe(404);
  });
});

test.for([
  ['a date', '2026-01-31', 200],
  ['a time with an offset', '2026-01-31T12:00:00%2B02:00', 200],
  ['the year 0, which PostgreSQL does not have', '0000-01-01T00:00:00Z', 422],
  ['no time', 'yesterday', 422],
] as const)('the statistics of a flow take %s: %s is answered %s', async ([, since, status]) => {
  const flow = await aFlowOf(account);
  const answer = await api.request('GET', `/v1/flows/${flow}/stats?since=${since}`, { key: account.apiKey });
  expect(answer.status).toBe(status);
});
