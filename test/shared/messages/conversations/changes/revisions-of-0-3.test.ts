import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../../../src/shared/platform/db/migrate.ts';
import { readChanges } from '../../../../../src/shared/messages/conversations/changes/read-changes.ts';
import { createTestDatabase, type TestDatabase } from '../../../../helpers/database.ts';
import { aBareAccount } from '../../../../helpers/states/accounts.ts';
import { aConversation } from '../../../../helpers/states/conversations.ts';

// A process of 0.3 beside ours: its statements know of no revisions. Other databases of tests refuse them.

let world: TestDatabase;
let accountId: string;
let contactId: string;
let conversationId: string;
beforeAll(async () => {
  world = await createTestDatabase({ migrated: false });
  await migrate(world.db);
  accountId = await aBareAccount(world.db);
  const [contact] = await world.db<
    { id: string }[]
  >`insert into contacts (account_id) values (${accountId}) returning id`;
  contactId = contact?.id ?? '';
  conversationId = await aConversation(world.db, { accountId, contactId, channel: 'api' });
});
afterAll(() => world.drop());

const read = async (after: number) =>
  (await readChanges(world.db, { accountId, conversationId, after, limit: 100 })) ?? expect.fail('it is gone');

const writes: Record<string, () => Promise<unknown>> = {
  'a message': () => world.db`
    insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text, external_id)
    select account_id, id, contact_id, channel_id, 'inbound', 'Hello', gen_random_uuid()::text from conversations where id = ${conversationId}`,
  'a queued message': () => world.db`
    with message as (
      insert into messages (account_id, conversation_id, contact_id, channel_id, direction, text)
      select account_id, id, contact_id, channel_id, 'outbound', 'Hi' from conversations where id = ${conversationId}
      returning id, account_id, conversation_id, seq)
    insert into outbound_messages (message_id, account_id, conversation_id, seq) select * from message`,
  'the record of a sending': () =>
    world.db`update outbound_messages set status = 'sent', sent_at = clock_timestamp(), attempts_made = 1`,
  'a receipt': () => world.db`update outbound_messages set read_at = clock_timestamp()`,
  'where a message goes': async () => {
    const route = (routed: object) =>
      world.db`update messages set routed_to = ${world.db.json({ ...routed })} where direction = 'inbound'`;
    await route({ to: 'nobody' });
    await route({ to: 'run' });
  },
  'a note': () => world.db`
    insert into conversation_notes (account_id, conversation_id, text) values (${accountId}, ${conversationId}, 'A note')`,
};

for (const [what, write] of Object.entries(writes))
  test(`${what} that a process of 0.3 writes is among the changes`, async () => {
    const { revision } = await read(0);
    await write();
    const { messages, notes, conversation } = await read(revision);
    expect([...messages, ...notes]).toHaveLength(1);
    expect(conversation.revision).toBe(revision + 1);
    expect((await read(0)).messages.every((message) => message.revision > 0)).toBe(true);
  });

test.for(['assigned_to', 'read_to', 'status'])(
  'a process of 0.3 that sets %s changes the conversation',
  async (column) => {
    const { revision } = await read(0);
    const value = column === 'status' ? 'closed' : contactId;
    await world.db`update conversations set ${world.db({ [column]: value })} where id = ${conversationId}`;
    expect((await read(0)).revision).toBe(revision + 1);
  },
);

test('attempts that begin change nothing that anybody sees', async () => {
  const { revision } = await read(0);
  await world.db`update outbound_messages set attempt_since = clock_timestamp(), unanswered = true`;
  expect((await read(0)).revision).toBe(revision);
});
