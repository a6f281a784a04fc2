import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createSession, endSessions } from '../../src/shared/accounts/sessions.ts';
import { forgetNetworks, rememberNetwork } from '../../src/shared/accounts/sign-in.ts';
import type { Role } from '../../src/shared/accounts/schema.ts';
import { assign } from '../../src/shared/messages/conversations/assign.ts';
import { assignHandover } from '../../src/shared/handovers/assign.ts';
import { hueOf } from '../../src/shared/hue.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import type { EventTransaction } from '../../src/shared/facts/tell.ts';
import { removeUser } from '../../src/shared/users/manage.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { holdLock } from '../helpers/locks.ts';
import { aColleague, ageNetworks, ageSessions } from '../helpers/states/accounts.ts';

type User = {
  id: string;
  email: string;
  name: string | null;
  color: string;
  role: Role;
  created_at: string;
  last_seen_at: string | null;
};
type Refused = { error: { code: string; message: string } };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body = User>(method: string, path: string, body?: unknown, session = account.session) =>
  api.request<Body & Refused>(method, `/dashboard/api/users${path}`, { session, body });
const list = async (): Promise<User[]> => (await as<{ data: User[] }>('GET', '')).body.data;
const owners = async () => (await list()).filter(({ role }) => role === 'owner');

/** A colleague with a session. */
const colleague = async (role: Role) => {
  const userId = await aColleague(api.db, account.accountId, role);
  return { userId, id: showId('user', userId), session: await createSession(api.db, userId) };
};
const own = () => showId('user', account.userId);

test('the users of the account are listed, newest first and by pages, with nothing that is secret', async () => {
  const agent = await colleague('agent');
  const at = expect.stringMatching(/Z$/);
  expect(await list()).toEqual([
    {
      id: agent.id,
      email: `${agent.userId}@example.com`,
      name: null,
      color: hueOf(agent.id),
      role: 'agent',
      created_at: at,
      last_seen_at: at,
    },
    {
      id: own(),
      email: account.email,
      name: null,
      color: hueOf(own()),
      role: 'owner',
      created_at: at,
      last_seen_at: at,
    },
  ]);
  type Page = { data: User[]; next_cursor: string };
  const { body: first } = await as<Page>('GET', '?limit=1');
  expect(first.data.map(({ id }) => id)).toEqual([agent.id]);
  const { body: second } = await as<Page>('GET', `?limit=1&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ data: [{ id: own() }], next_cursor: null });
});

test('when a user was last seen is told by its sessions, and by its last signing in when they are over', async () => {
  const agent = await colleague('agent');
  const lastSeen = async (): Promise<number | null> => {
    const at = (await list()).find(({ id }) => id === agent.id)?.last_seen_at;
    return at ? Math.round((Date.now() - Date.parse(at)) / 60_000) : null;
  };
  await ageSessions(api.db, agent.userId, { minutes: 90 });
  expect(await lastSeen()).toBe(90);
  await rememberNetwork(api.db, { userId: agent.userId, network: '192.0.2.7' });
  await ageNetworks(api.db, agent.userId, { days: 2 });
  expect(await lastSeen()).toBe(90);
  await endSessions(api.db, agent.userId);
  expect(await lastSeen()).toBe(2 * 24 * 60);
  await ageNetworks(api.db, agent.userId, { days: 91 });
  await forgetNetworks(api.db);
  expect(await lastSeen()).toBeNull();
});

describe('a name', () => {
  const sessionName = async (session: string) =>
    (await api.request<{ user: User }>('GET', '/dashboard/api/session', { session })).body.user.name;
  const rename = (name: unknown, session = account.session) =>
    api.request<User & Refused>('PATCH', '/dashboard/api/profile', { session, body: { name } });

  test('is set by its user, whatever the role, shown in list and session, and changes nobody else', async () => {
    const agent = await colleague('agent');
    expect(await rename('  Grace Hopper ', agent.session)).toMatchObject({
      status: 200,
      body: { id: agent.id, name: 'Grace Hopper' },
    });
    expect([await sessionName(agent.session), await sessionName(account.session)]).toEqual(['Grace Hopper', null]);
    expect((await list()).map(({ name }) => name)).toEqual(['Grace Hopper', null]);
  });

  test('is set by an owner for a colleague, with and without a role', async () => {
    const other = await colleague('agent');
    expect((await as('PATCH', `/${other.id}`, { name: 'Grace' })).body).toMatchObject({ name: 'Grace', role: 'agent' });
    expect((await as('PATCH', `/${other.id}`, { role: 'editor' })).body).toMatchObject({
      name: 'Grace',
      role: 'editor',
    });
    const both = { name: 'Grace Hopper', role: 'agent' };
    expect((await as('PATCH', `/${other.id}`, both)).body).toMatchObject(both);
    expect((await as('PATCH', `/${own()}`, { name: 'Ada' }, other.session)).status).toBe(403);
  });

  test('has 1 to 80 characters on one line: anything else is 422, and changes nothing', async () => {
    const other = await colleague('agent');
    for (const name of ['', '   ', 'x'.repeat(81), 'a\nb', 'a\0', 7, null, ['Ada']]) {
      expect((await rename(name)).status).toBe(422);
      expect((await as('PATCH', `/${other.id}`, { name })).status).toBe(422);
    }
    expect((await list()).map(({ name }) => name)).toEqual([null, null]);
    expect((await rename('x'.repeat(80))).status).toBe(200);
  });

  test("of another account's user is nobody's to change: 404", async () => {
    const { session } = await api.createAccount();
    expect((await as('PATCH', `/${own()}`, { name: 'Eve' }, session)).status).toBe(404);
    expect(await sessionName(account.session)).toBeNull();
  });
});

describe('a role', () => {
  const mayListKeys = async (session: string): Promise<boolean> =>
    (await api.request('GET', '/dashboard/api/api-keys', { session })).status === 200;

  test('is changed by an owner, and in force with the next request of the user', async () => {
    const other = await colleague('agent');
    expect(await mayListKeys(other.session)).toBe(false);
    const { status, body } = await as('PATCH', `/${other.id}`, { role: 'owner' });
    expect([status, body.role]).toEqual([200, 'owner']);
    expect(await mayListKeys(other.session)).toBe(true);
    await as('PATCH', `/${other.id}`, { role: 'editor' });
    expect(await mayListKeys(other.session)).toBe(false);
  });

  test('of the only owner stays: 409', async () => {
    await colleague('editor');
    for (const role of ['editor', 'agent'])
      expect(await as('PATCH', `/${own()}`, { role })).toMatchObject({
        status: 409,
        body: { error: { code: 'conflict' } },
      });
    expect((await as('PATCH', `/${own()}`, { role: 'owner' })).status).toBe(200);
    expect(await owners()).toHaveLength(1);
  });

  test('of an owner beside another is given up by the owner, who then may not take it back', async () => {
    await colleague('owner');
    expect((await as('PATCH', `/${own()}`, { role: 'agent' })).status).toBe(200);
    expect((await as('PATCH', `/${own()}`, { role: 'owner' })).status).toBe(403);
  });

  test.for([
    ['none', {}],
    ['null', { role: null }],
    ['one that there is not', { role: 'admin' }],
    ['one in capitals', { role: 'Owner' }],
    ['several', { role: ['owner', 'agent'] }],
    ['a number', { role: 1e308 }],
    ['10 kB of one', { role: 'owner'.repeat(2_000) }],
    ['a NUL', { role: 'owner\0' }],
    ['half a surrogate pair', '{"role":"owner\\ud800"}'],
    ['an unknown field', { role: 'agent', account_id: 'x' }],
    ['a list', [{ role: 'agent' }]],
  ] as const)('%s is 422, and changes nothing', async ([, body]) => {
    const other = await colleague('editor');
    expect((await as('PATCH', `/${other.id}`, body)).status).toBe(422);
    expect(await list()).toMatchObject([{ role: 'editor' }, { role: 'owner' }]);
  });

  test.for([['x'], ['usr_x'], ['%00'], [showId('contact', newUuid())], [showId('user', newUuid())]])(
    'of %s is 404',
    async ([id]) => {
      expect((await as('PATCH', `/${id}`, { role: 'agent' })).status).toBe(404);
      expect((await as('DELETE', `/${id}`)).status).toBe(404);
    },
  );
});

describe('removing a user', () => {
  const conversation = async (): Promise<string> => {
    const as = { key: account.apiKey };
    const { body: channel } = await api.request<{ id: string }>('POST', '/v1/channels', {
      ...as,
      body: { type: 'api', name: 'Shop' },
    });
    await api.request('POST', `/v1/channels/${channel.id}/inbound`, { ...as, body: anInboundMessage() });
    const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/conversations', as);
    return body.data[0]?.id ?? '';
  };
  const handover = async (): Promise<string> => {
    const as = { key: account.apiKey };
    const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { ...as, body: aContact() });
    const body = { contact_id: contact.id, reason: 'Help' };
    return (await api.request<{ id: string }>('POST', '/v1/handovers', { ...as, body })).body.id;
  };
  const pathOf = (id: string) => `/v1/${id.startsWith('hnd_') ? 'handovers' : 'conversations'}/${id}`;
  const assignTo = (what: string, id: string | null) =>
    api.request('PATCH', pathOf(what), { key: account.apiKey, body: { assigned_to: id } });
  const assignedTo = async (what: string): Promise<string | null> =>
    (await api.request<{ assigned_to: string | null }>('GET', pathOf(what), { key: account.apiKey })).body.assigned_to;

  test('ends its sessions at once, takes it off its conversations, and leaves the others theirs', async () => {
    const other = await colleague('agent');
    const [theirs, mine] = [await conversation(), await conversation()];
    await assignTo(theirs, other.id);
    await assignTo(mine, own());
    expect((await as('DELETE', `/${other.id}`)).status).toBe(204);
    expect((await as('GET', '', undefined, other.session)).status).toBe(401);
    expect([await assignedTo(theirs), await assignedTo(mine)]).toEqual([null, own()]);
    expect(await list()).toMatchObject([{ id: own() }]);
    expect((await as('DELETE', `/${other.id}`)).status).toBe(404);
  });

  test('who is the only owner is refused with 409, also by itself', async () => {
    await colleague('editor');
    expect((await as('DELETE', `/${own()}`)).status).toBe(409);
    expect(await owners()).toHaveLength(1);
  });

  test('an owner beside another leaves by itself', async () => {
    const other = await colleague('owner');
    expect((await as('DELETE', `/${own()}`)).status).toBe(204);
    expect((await as('GET', '')).status).toBe(401);
    expect((await as('DELETE', `/${other.id}`, undefined, other.session)).status).toBe(409);
  });

  const kinds = {
    conversation: {
      make: conversation,
      assign: (tx: EventTransaction, id: string, userId: string) =>
        assign(tx, { accountId: account.accountId, id: readId('conversation', id), userId }),
    },
    handover: {
      make: handover,
      assign: (tx: EventTransaction, id: string, userId: string) =>
        assignHandover(tx, { accountId: account.accountId, id: readId('handover', id), userId }),
    },
  };

  test.for([
    ['conversation', 'first'],
    ['conversation', 'second'],
    ['handover', 'first'],
    ['handover', 'second'],
  ] as const)('a %s that is assigned meanwhile, %s, stays with nobody', async ([kind, when]) => {
    const other = await colleague('agent');
    const id = await kinds[kind].make();
    const [changed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { accountId, userId: by } = account;
    const change = api.deps.transact(async (tx) => {
      if (when === 'first') await kinds[kind].assign(tx, id, other.userId);
      else await removeUser(tx, { accountId, by, id: other.userId });
      changed.resolve();
      await done.promise;
    });
    await changed.promise;
    const beside = when === 'first' ? as('DELETE', `/${other.id}`) : assignTo(id, other.id);
    await untilSomebodyWaits(api.db);
    done.resolve();
    await change;
    expect((await beside).status).toBe(when === 'first' ? 204 : 404);
    expect(await assignedTo(id)).toBeNull();
  });
});

test.for(['PATCH', 'DELETE'] as const)('two owners who %s each other at the same moment leave one', async (method) => {
  const other = await colleague('owner');
  const body = method === 'PATCH' ? { role: 'agent' } : undefined;
  // Whoever has looked for other owners stops here.
  const rows = await holdLock(
    api.db,
    (sql) => sql`select from users where account_id = ${account.accountId} for update`,
  );
  const answers = Promise.all([as(method, `/${other.id}`, body), as(method, `/${own()}`, body, other.session)]);
  const waiting = () => api.db`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await waiting()).count === 2, { timeout: 60_000, interval: 10 });
  await rows.letThrough();
  const statuses = (await answers).map(({ status }) => status);
  expect(statuses.filter((status) => status < 300)).toHaveLength(1);
  const left = await api.db`select from users where account_id = ${account.accountId} and role = 'owner'`;
  expect(left).toHaveLength(1);
});
