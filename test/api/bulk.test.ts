import { describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { useApi, type TestAccount } from '../helpers/api.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { aFlow } from '../helpers/live-flows.ts';

type Outcome = { id: string; outcome: string; error?: { code: string; message: string } };

const api = await useApi();
const account = await api.createAccount();
const stranger = await api.createAccount();

const as = <Body>(path: string, body: object, { apiKey: key }: TestAccount = account) =>
  api.request<Body>('POST', `/v1${path}`, { key, body });

const read = async <Body>(path: string) => (await api.request<Body>('GET', `/v1${path}`, { key: account.apiKey })).body;

const keyed = (idempotencyKey: string, path: string, body: object) =>
  api.request<{ data: Outcome[] }>('POST', `/v1/bulk${path}`, {
    key: account.apiKey,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });

const bulk = async (path: string, body: object, by = account) => {
  const answer = await as<{ data: Outcome[] }>(`/bulk${path}`, body, by);
  expect(answer.status).toBe(200);
  return answer.body.data;
};

const outcomesOf = async (path: string, body: object, by = account) =>
  (await bulk(path, body, by)).map(({ outcome, error }) => error?.code ?? outcome);

const makeContact = async (by = account) => (await as<{ id: string }>('/contacts', aContact(), by)).body.id;

const say = { id: 'hello', type: 'send', messages: [{ text: 'Hello' }] };

const liveFlow = async () => showId('flow', await aFlow(api.db, account.accountId, { blocks: [say] }));

const paths = [
  ['/contacts/tag', { tag: 'vip' }],
  ['/contacts/untag', { tag: 'vip' }],
  ['/contacts/enroll', { flow_id: showId('flow', newUuid()) }],
  ['/deliveries/replay', {}],
  ['/conversations/assign', { assigned_to: null }],
  ['/conversations/close', {}],
  ['/conversations/reopen', {}],
  ['/runs/cancel', {}],
  ['/runs/retry', {}],
] as const;

const nounOf = (path: string) =>
  path.startsWith('/contacts')
    ? 'contact'
    : path.startsWith('/deliveries')
      ? 'delivery'
      : path.startsWith('/runs')
        ? 'run'
        : 'conversation';

describe.for(paths)('a bulk request to %s', ([path, fields]) => {
  const idsOf = (count: number) => Array.from({ length: count }, () => showId(nounOf(path), newUuid()));

  test.for([
    ['no ids', {}],
    ['an empty list', { ids: [] }],
    ['101 ids', { ids: idsOf(101) }],
    ['ids of another noun', { ids: [showId('user', newUuid())] }],
    ['a text for a list', { ids: idsOf(1)[0] }],
    ['a number for an id', { ids: [1] }],
    ['an unknown field', { ids: idsOf(1), more: true }],
  ] as const)('with %s is refused with 422', async ([, body]) => {
    expect(await as(`/bulk${path}`, { ...fields, ...body })).toMatchObject({ status: 422 });
  });

  test('answers for each of a hundred ids that nobody has, in their order', async () => {
    const ids = idsOf(100);
    const data = await bulk(path, { ids, ...fields });
    expect(data.map(({ id }) => id)).toEqual(ids);
    expect(new Set(data.map(({ outcome, error }) => `${outcome} ${error?.code}`))).toEqual(
      new Set(['refused not_found']),
    );
  });
});

describe('contacts in bulk', () => {
  test('are tagged once each, with one event for each that did not have the tag', async () => {
    const [one, two] = [await makeContact(), await makeContact()];
    const ids = [one, two, one, await makeContact(stranger)];
    expect(await outcomesOf('/contacts/tag', { ids, tag: 'Bulk' })).toEqual(['done', 'done', 'not_found']);
    expect(await outcomesOf('/contacts/tag', { ids: [one, two], tag: 'bulk' })).toEqual(['unchanged', 'unchanged']);
    const { data } = await read<{ data: { contact_id: string }[] }>('/events?event=tag_applied');
    expect(data.map(({ contact_id: id }) => id).toSorted()).toEqual([one, two].toSorted());
    expect(await outcomesOf('/contacts/untag', { ids: [one, two], tag: 'BULK' })).toEqual(['done', 'done']);
    expect(await outcomesOf('/contacts/untag', { ids: [one], tag: 'bulk' })).toEqual(['unchanged']);
    expect(await read(`/contacts/${one}`)).toMatchObject({ tags: [] });
  });

  test('are enrolled each by itself: one that is in the flow already stops no other', async () => {
    const flow_id = await liveFlow();
    const [one, two] = [await makeContact(), await makeContact()];
    await as(`/contacts/${one}/flows`, { flow_id });
    const data = await bulk('/contacts/enroll', { ids: [one, two], flow_id });
    expect(data).toMatchObject([
      { outcome: 'refused', error: { code: 'conflict', message: expect.stringContaining('already in this flow') } },
      { outcome: 'done' },
    ]);
    const { data: runs } = await read<{ data: object[] }>(`/runs?flow_id=${flow_id}`);
    expect(runs).toHaveLength(2);
  });

  test('count as one request each of the account’s budget', async () => {
    const other = await api.createAccount();
    const left = async () => Number((await as('/contacts', aContact(), other)).headers['ratelimit-remaining']);
    const before = await left();
    const ids = Array.from({ length: 40 }, () => showId('contact', newUuid()));
    await bulk('/contacts/tag', { ids, tag: 'vip' }, other);
    expect(before - (await left())).toBe(41);
  });
});

test('conversations in bulk are assigned, closed and reopened, each that is not so already', async () => {
  const channel = await as<{ id: string }>('/channels', { type: 'api', name: 'Shop' });
  for (const name of ['ada', 'grace'])
    await as(
      `/channels/${channel.body.id}/inbound`,
      anInboundMessage({ sender: { external_id: name, first_name: name } }),
    );
  const { data } = await read<{ data: { id: string }[] }>('/conversations');
  const ids = data.map(({ id }) => id);
  const assigned_to = showId('user', account.userId);
  expect(await outcomesOf('/conversations/assign', { ids, assigned_to })).toEqual(['done', 'done']);
  expect(await read(`/conversations/${ids[0]}`)).toMatchObject({ assigned_to });
  expect(await outcomesOf('/conversations/assign', { ids, assigned_to })).toEqual(['unchanged', 'unchanged']);
  const theirs = { ids, assigned_to: showId('user', stranger.userId) };
  expect(await outcomesOf('/conversations/assign', theirs)).toEqual(['not_found', 'not_found']);
  expect(await outcomesOf('/conversations/close', { ids: ids.slice(0, 1) })).toEqual(['done']);
  expect(await outcomesOf('/conversations/close', { ids })).toEqual(['unchanged', 'done']);
  expect(await read(`/conversations/${ids[1]}`)).toMatchObject({ status: 'closed' });
  expect(await outcomesOf('/conversations/reopen', { ids: ids.slice(0, 1) })).toEqual(['done']);
  expect(await outcomesOf('/conversations/reopen', { ids })).toEqual(['unchanged', 'done']);
  expect(await read(`/conversations/${ids[1]}`)).toMatchObject({ status: 'open' });
});

test('deliveries in bulk are sent again but for those that are being sent', async () => {
  const webhookId = await insertWebhook(api.deps, { ...account, url: 'https://shop.example/bulk' });
  const { accountId } = account;
  const ofStatus = async (status: 'failed' | 'pending') =>
    showId('delivery', await aDelivery(api.db, { accountId, webhookId, status }));
  const ids = [await ofStatus('failed'), await ofStatus('pending')];
  expect(await outcomesOf('/deliveries/replay', { ids })).toEqual(['done', 'conflict']);
  expect(await read(`/deliveries/${ids[0]}`)).toMatchObject({ round: 2 });
});

describe('a bulk request with an Idempotency-Key', () => {
  const failedDeliveries = async (count: number): Promise<string[]> => {
    const webhookId = await insertWebhook(api.deps, { ...account, url: 'https://shop.example/keyed' });
    const made = Array.from({ length: count }, () =>
      aDelivery(api.db, { accountId: account.accountId, webhookId, status: 'failed' }),
    );
    return (await Promise.all(made)).map((id) => showId('delivery', id));
  };
  const roundsOf = async (ids: readonly string[]): Promise<number[]> =>
    Promise.all(ids.map(async (id) => (await read<{ round: number }>(`/deliveries/${id}`)).round));

  test('replays each delivery once when it is repeated after a lost answer', async () => {
    const ids = await failedDeliveries(3);
    const giveUp = new AbortController();
    const lost = await api.db.begin(async (sql) => {
      await sql`select 1 from deliveries where id = ${readId('delivery', ids[1] ?? '')} for update`;
      const answer = fetch(`${api.url}/v1/bulk/deliveries/replay`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${account.apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': 'lost',
        },
        body: JSON.stringify({ ids }),
        signal: giveUp.signal,
      }).catch((error: Error) => error.name);
      await expect.poll(() => roundsOf(ids)).toEqual([2, 1, 1]);
      giveUp.abort();
      return answer;
    });
    expect(lost).toBe('AbortError');
    const again = await keyed('lost', '/deliveries/replay', { ids });
    expect(again.body.data).toEqual(ids.map((id) => ({ id, outcome: 'done' })));
    expect(await roundsOf(ids)).toEqual([2, 2, 2]);
    const third = await keyed('lost', '/deliveries/replay', { ids });
    expect(third).toMatchObject({ status: 200, text: again.text, headers: { 'idempotent-replayed': 'true' } });
    expect(await roundsOf(ids)).toEqual([2, 2, 2]);
  });

  test('enrolls each contact once among twins sent at the same time, which get one answer', async () => {
    const flow_id = await liveFlow();
    const [one, two] = [await makeContact(), await makeContact()];
    await as(`/contacts/${one}/flows`, { flow_id });
    const twins = await Promise.all(
      Array.from({ length: 4 }, () => keyed('twins', '/contacts/enroll', { ids: [one, two], flow_id })),
    );
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    expect(twins[0]?.body.data).toMatchObject([{ error: { code: 'conflict' } }, { id: two, outcome: 'done' }]);
    expect((await read<{ data: object[] }>(`/runs?flow_id=${flow_id}`)).data).toHaveLength(2);
  });

  test('with another body is refused with 422, and changes nothing', async () => {
    const [one = '', two = ''] = await failedDeliveries(2);
    expect(await keyed('one body', '/deliveries/replay', { ids: [one] })).toMatchObject({ status: 422 });
    expect(await keyed('one-body', '/deliveries/replay', { ids: [one] })).toMatchObject({ status: 200 });
    const other = await keyed('one-body', '/deliveries/replay', { ids: [two] });
    expect(other).toMatchObject({ status: 422, body: { error: { details: [{ path: 'Idempotency-Key' }] } } });
    expect(await roundsOf([one, two])).toEqual([2, 1]);
  });

  test('counts as one request when all of it is answered already', async () => {
    const ids = await failedDeliveries(20);
    const left = async () =>
      Number((await keyed('budget', '/deliveries/replay', { ids })).headers['ratelimit-remaining']);
    const [first, again] = [await left(), await left()];
    expect(first - again).toBe(1);
  });
});

test('runs in bulk are cancelled, and one that is over stays as it ended and is not retried', async () => {
  const flow_id = await liveFlow();
  const ids: string[] = [];
  for (let count = 0; count < 2; count += 1)
    ids.push((await as<{ id: string }>(`/contacts/${await makeContact()}/flows`, { flow_id })).body.id);
  expect(await outcomesOf('/runs/cancel', { ids: ids.slice(0, 1) })).toEqual(['done']);
  expect(await outcomesOf('/runs/cancel', { ids })).toEqual(['unchanged', 'done']);
  expect(await outcomesOf('/runs/retry', { ids })).toEqual(['conflict', 'conflict']);
  const [run] = await api.db<{ status: string }[]>`select status from runs where id = ${readId('run', ids[1] ?? '')}`;
  expect(run?.status).toBe('cancelled');
});
