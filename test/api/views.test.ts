import { describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { showId, newUuid } from '../../src/shared/ids.ts';
import { viewNoun } from '../../src/shared/views/schema.ts';
import { useApi, type TestAccount } from '../helpers/api.ts';
import { aColleague } from '../helpers/states/accounts.ts';

type View = { id: string; list: string; name: string; query: string; is_shared: boolean };

const api = await useApi();

const ask = <Body>(method: string, path: string, session: string, body?: unknown) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session, ...(body !== undefined && { body }) });

const save = (session: string, view: object = {}) =>
  ask<View>('POST', '/views', session, { list: 'contacts', name: 'VIP', query: 'tag=vip', ...view });

const namesOf = async (session: string, list = 'contacts') =>
  (await ask<{ data: View[] }>('GET', `/views?list=${list}`, session)).body.data.map(({ name }) => name);

/** An account with an owner and an agent. */
const team = async (): Promise<{ owner: string; agent: string; account: TestAccount }> => {
  const account = await api.createAccount();
  const agent = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
  return { owner: account.session, agent, account };
};

describe('a view', () => {
  test('is its user’s alone, of one list, and can be changed and deleted', async () => {
    const { owner, agent } = await team();
    const { status, body } = await save(agent);
    expect({ status, body }).toMatchObject({ status: 201, body: { list: 'contacts', name: 'VIP', is_shared: false } });
    expect([await namesOf(agent), await namesOf(owner), await namesOf(agent, 'runs')]).toEqual([['VIP'], [], []]);
    expect(await ask('PATCH', `/views/${body.id}`, owner, { name: 'Theirs' })).toMatchObject({ status: 404 });
    expect(await ask('DELETE', `/views/${body.id}`, owner)).toMatchObject({ status: 404 });
    const changed = await ask('PATCH', `/views/${body.id}`, agent, { name: 'Gold', query: 'tag=gold' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Gold', query: 'tag=gold' } });
    expect(await ask('DELETE', `/views/${body.id}`, agent)).toMatchObject({ status: 204 });
    expect(await namesOf(agent)).toEqual([]);
  });

  test('that an owner shares is the account’s: all have it, and only owners change it', async () => {
    const { owner, agent } = await team();
    const { body } = await save(owner, { is_shared: true });
    expect(await namesOf(agent)).toEqual(['VIP']);
    expect(await ask('PATCH', `/views/${body.id}`, agent, { name: 'x' })).toMatchObject({ status: 403 });
    expect(await ask('DELETE', `/views/${body.id}`, agent)).toMatchObject({ status: 403 });
    expect(await save(agent, { name: 'Ours', is_shared: true })).toMatchObject({ status: 403 });
    expect(await ask('PATCH', `/views/${body.id}`, owner, { is_shared: false })).toMatchObject({ status: 200 });
    expect([await namesOf(agent), await namesOf(owner)]).toEqual([[], ['VIP']]);
  });

  test('has a name of its own in its list, in any letter case', async () => {
    const { owner, agent } = await team();
    await save(agent);
    expect(await save(agent, { name: 'vip' })).toMatchObject({ status: 409 });
    expect(await save(agent, { list: 'runs' })).toMatchObject({ status: 201 });
    expect(await save(owner)).toMatchObject({ status: 201 });
    const { body } = await save(agent, { name: 'Gold' });
    expect(await ask('PATCH', `/views/${body.id}`, agent, { name: 'VIP' })).toMatchObject({ status: 409 });
    expect(await namesOf(agent)).toEqual(['Gold', 'VIP']);
  });

  test('is one of fifty of a user and list at most', async () => {
    const { agent } = await team();
    for (let number = 1; number <= 50; number += 1) await save(agent, { name: `View ${number}` });
    expect(await save(agent, { name: 'One more' })).toMatchObject({ status: 409 });
    expect(await save(agent, { name: 'One more', list: 'orders' })).toMatchObject({ status: 201 });
    expect(await namesOf(agent)).toHaveLength(50);
  });

  test('ends with its user, and a shared one stays', async () => {
    const { owner, agent, account } = await team();
    await save(agent);
    await save(owner, { name: 'Ours', is_shared: true });
    const { body } = await ask<{ data: { id: string; role: string }[] }>('GET', '/users', owner);
    const user = body.data.find(({ role }) => role === 'agent');
    expect(await ask('DELETE', `/users/${user?.id}`, owner)).toMatchObject({ status: 204 });
    const rows = await api.db`select name from list_views where account_id = ${account.accountId}`;
    expect([...rows]).toEqual([{ name: 'Ours' }]);
  });

  test.for([
    ['an unknown list', { list: 'secrets' }],
    ['no name', { name: ' ' }],
    ['a name of 61 characters', { name: 'x'.repeat(61) }],
    ['a query of 2,001 characters', { query: 'x'.repeat(2_001) }],
    ['a query that is no text', { query: { status: 'open' } }],
    ['an unknown field', { color: 'red' }],
  ] as const)('with %s is refused with 422', async ([, view]) => {
    const { session } = await api.createAccount();
    expect(await save(session, view)).toMatchObject({ status: 422 });
  });

  test('of another account is not found', async () => {
    const [one, other] = [await api.createAccount(), await api.createAccount()];
    const { body } = await save(one.session, { is_shared: true });
    expect(await namesOf(other.session)).toEqual([]);
    expect(await ask('PATCH', `/views/${body.id}`, other.session, { name: 'x' })).toMatchObject({ status: 404 });
    const unknown = showId(viewNoun, newUuid());
    expect(await ask('DELETE', `/views/${unknown}`, other.session)).toMatchObject({ status: 404 });
  });
});

describe('the columns of a list', () => {
  test('are each user’s own, until they are given back', async () => {
    const { owner, agent } = await team();
    const path = '/list-columns/contacts';
    expect(await ask('PUT', path, agent, { columns: ['email', 'tags'] })).toMatchObject({ status: 200 });
    expect(await ask('GET', path, agent)).toMatchObject({ body: { columns: ['email', 'tags'] } });
    expect(await ask('GET', path, owner)).toMatchObject({ body: { columns: null } });
    await ask('PUT', path, agent, { columns: null });
    expect(await ask('GET', path, agent)).toMatchObject({ body: { columns: null } });
  });

  test.for([
    ['of an unknown list', '/list-columns/secrets', { columns: [] }],
    ['that are 31', '/list-columns/runs', { columns: Array.from({ length: 31 }, () => 'email') }],
    ['with another letter', '/list-columns/runs', { columns: ['E-mail'] }],
    ['that are a text', '/list-columns/runs', { columns: 'email' }],
  ] as const)('%s are refused', async ([, path, body]) => {
    const { session } = await api.createAccount();
    expect((await ask('PUT', path, session, body)).status).toBeOneOf([404, 422]);
  });
});
