import { beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { aColleague } from '../helpers/states/accounts.ts';

type Conversation = { id: string; status: string; snoozed_until: string | null; unread: number; revision: number };

const api = await useApi();
let account: TestAccount;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).id;
});

const as = async <Body>(method: string, path: string, body?: unknown, session = account.session): Promise<Body> =>
  (await api.request<Body>(method, `/dashboard/api${path}`, { session, ...(body !== undefined && { body }) })).body;

/** A conversation of a contact, which an agent has seen up to its first message before the contact wrote once more. */
const aConversation = async () => {
  const sender = { external_id: newUuid() };
  const write = () =>
    as<{ message: { id: string } }>('POST', `/channels/${channelId}/inbound`, anInboundMessage({ sender }));
  const { message } = await write();
  const { conversation_id: id } = await as<{ conversation_id: string }>('GET', `/messages/${message.id}`);
  const read = () => as<Conversation>('GET', `/conversations/${id}`);
  const { revision: seen } = await read();
  await write();
  const reply = (body: object) =>
    api.request('POST', `/dashboard/api/conversations/${id}/messages`, {
      session: account.session,
      body: { text: 'You are welcome.', client_ref: newUuid(), ...body },
    });
  return { id, read, seen, reply };
};

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();

describe('what the contact wrote after the seen_revision of an answer', () => {
  test.for([
    ['closes', 'close'],
    ['snoozes', { snooze_until: inAnHour }],
    ['does neither', undefined],
  ] as const)('stays unread in an open conversation where the answer %s', async ([, next]) => {
    const { read, seen, reply } = await aConversation();
    expect(await reply({ seen_revision: seen, next })).toMatchObject({ status: 201 });
    const { revision, ...now } = await read();
    expect(now).toMatchObject({ status: 'open', snoozed_until: null, unread: 1 });
    await reply({ seen_revision: revision, next });
    expect(await read()).toMatchObject({
      status: next === 'close' ? 'closed' : 'open',
      snoozed_until: typeof next === 'object' ? inAnHour : null,
      unread: 0,
    });
  });

  test('stays read where a colleague has read it', async () => {
    const { id, read, seen, reply } = await aConversation();
    const colleague = await createSession(api.db, await aColleague(api.db, account.accountId, 'agent'));
    await as('POST', `/conversations/${id}/read`, undefined, colleague);
    await reply({ seen_revision: seen });
    expect(await read()).toMatchObject({ unread: 0 });
  });
});

describe('marking as read with a revision', () => {
  test('leaves what came after it unread, and with none reads all', async () => {
    const { id, read, seen } = await aConversation();
    const marked = await as<Conversation>('POST', `/conversations/${id}/read`, { revision: seen });
    expect(marked).toMatchObject({ unread: 1 });
    await as('POST', `/conversations/${id}/read`);
    expect(await read()).toMatchObject({ unread: 0 });
  });

  test('never makes unread what was read before, nor changes the conversation then', async () => {
    const { id, read, seen } = await aConversation();
    const before = await as<Conversation>('POST', `/conversations/${id}/read`, {});
    for (const revision of [0, seen, before.revision]) await as('POST', `/conversations/${id}/read`, { revision });
    expect(await read()).toEqual(before);
  });
});
