import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Talks } from '../../../../src/shared/hints/gather-talks.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { addNote } from '../../../../src/shared/messages/conversations/notes.ts';
import { closeConversation } from '../../../../src/shared/messages/conversations/close.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { createLiveHub, type HubBounds, type Watch } from '../../../../src/shared/messages/live/hub.ts';
import type { VisitorChanges } from '../../../../src/shared/messages/live/read-visitor-changes.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { connectOverheard } from '../../../helpers/database.ts';
import { aChannel } from '../../../helpers/messages.ts';

const world = await startDeliveryWorld();
afterAll(() => world.stop());

let channelId: string;
beforeEach(async () => {
  channelId = await aChannel(world, null);
});

/** A contact writes; answers the conversation. */
const say = async (text: string, sender = 'ada'): Promise<{ id: string; revision: number }> => {
  const { accountId } = world;
  const message = { message_id: newUuid(), sender: { external_id: sender }, text };
  const { contactId } = await world.transact((tx) => receiveInTransaction(tx, { accountId, channelId, message }));
  const [row] = await world.db<{ id: string; revision: number }[]>`
    select id, revision::float8 as revision from conversations where contact_id = ${contactId} and status = 'open'`;
  return row ?? expect.fail();
};

/** A hub whose hints the test gives itself. `statements` has what it asks the database. */
const aHub = (bounds?: HubBounds) => {
  const statements: string[] = [];
  const db = connectOverheard(world.target, (statement) => statements.push(statement.trim()));
  let hear: (talks: Talks) => void = () => {};
  const teller = {
    hearTalks: (listener: (talks: Talks) => void) => {
      hear = listener;
      return () => {};
    },
  };
  const others = { start: async () => {}, check: async () => {}, rest: async () => {} };
  const hub = createLiveHub({ db, teller, others, log: world.log, ...(bounds && { bounds }) });
  onTestFinished(async () => {
    await hub.stop();
    await db.end();
  });
  const tell = ({ id, revision }: { id: string; revision: number }): void =>
    hear([{ accountId: world.accountId, conversationId: id, revision }]);
  return { ...hub, tell, hear: (talks: Talks) => hear(talks), statements };
};

type Got = Omit<VisitorChanges, 'hasMore'>;

/** A stream of a visitor: `texts` is what it has got, and `left` why it has ended. */
const aWatch = (conversationId: string, { after = 0, keepsUp = true } = {}) => {
  const got: Got[] = [];
  const left: string[] = [];
  const watch: Watch = {
    accountId: world.accountId,
    conversationId,
    after,
    take: (changes) => {
      got.push(changes);
      return keepsUp;
    },
    leave: (why) => void left.push(why),
  };
  return { watch, got, left, texts: () => got.flatMap(({ messages }) => messages.map(({ text }) => text)) };
};

const until = async (read: () => unknown, expected: unknown): Promise<void> => {
  await expect.poll(read, { timeout: 20_000 }).toEqual(expected);
};

test('a visitor gets what came after its revision, and then what comes, each once', async () => {
  const { revision, id } = await say('one');
  await say('two');
  const hub = aHub();
  const visitor = aWatch(id, { after: revision });
  await hub.watchConversation(visitor.watch);
  await until(visitor.texts, ['two']);
  hub.tell(await say('three'));
  await until(visitor.texts, ['two', 'three']);
  await world.transact((tx) => addNote(tx, { accountId: world.accountId, id, text: 'For agents' }));
  hub.tell(await say('four'));
  await until(visitor.texts, ['two', 'three', 'four']);
  expect(JSON.stringify(visitor.got)).not.toContain('For agents');
});

test('a change is read once for all who watch a conversation', async () => {
  const { id, revision } = await say('one');
  const hub = aHub();
  const visitors = Array.from({ length: 10 }, () => aWatch(id, { after: revision }));
  for (const { watch } of visitors) await hub.watchConversation(watch);
  await until(() => hub.statements.length > 0, true);
  const next = await say('two');
  hub.statements.length = 0;
  hub.tell(next);
  await until(
    () => visitors.map(({ texts }) => texts()),
    visitors.map(() => ['two']),
  );
  expect(hub.statements).toHaveLength(2);
});

test('changes of many conversations at a time share their statements', async () => {
  const talks = [];
  for (let n = 0; n < 30; n += 1) talks.push(await say('one', `sender-${n}`));
  const hub = aHub();
  const visitors = talks.map(({ id, revision }) => aWatch(id, { after: revision }));
  await Promise.all(visitors.map(({ watch }) => hub.watchConversation(watch)));
  const next = [];
  for (let n = 0; n < 30; n += 1) next.push(await say('two', `sender-${n}`));
  hub.statements.length = 0;
  for (const one of next) hub.tell(one);
  await until(
    () => visitors.map(({ texts }) => texts()),
    visitors.map(() => ['two']),
  );
  expect(hub.statements.length).toBeLessThanOrEqual(8);
});

test('after a gap in what is heard, a visitor gets what it has missed', async () => {
  const { id, revision } = await say('one');
  const hub = aHub();
  const visitor = aWatch(id, { after: revision });
  await hub.watchConversation(visitor.watch);
  await until(() => hub.statements.length >= 2, true);
  await say('two');
  hub.hear('everything');
  await expect.poll(visitor.texts, { timeout: 20_000 }).toEqual(['two']);
});

test('a client that does not read is dropped, and the others go on', async () => {
  const { id, revision } = await say('one');
  const hub = aHub();
  const [slow, other] = [aWatch(id, { after: revision, keepsUp: false }), aWatch(id, { after: revision })];
  for (const { watch } of [slow, other]) await hub.watchConversation(watch);
  hub.tell(await say('two'));
  await until(other.texts, ['two']);
  hub.tell(await say('three'));
  await until(other.texts, ['two', 'three']);
  expect([slow.texts(), slow.left, other.left]).toEqual([['two'], ['slow'], []]);
});

test('a client that is far behind, or ahead of the conversation, reads everything again', async () => {
  const { id } = await say('one');
  for (let n = 0; n < 210; n += 1) await say(`${n}`);
  const hub = aHub();
  const [behind, ahead] = [aWatch(id), aWatch(id, { after: 1_000_000 })];
  for (const { watch } of [behind, ahead]) await hub.watchConversation(watch);
  await until(() => [behind.left, ahead.left], [['reset'], ['reset']]);
  expect(behind.texts()).toHaveLength(200);
  expect(ahead.got).toEqual([]);
});

test('a conversation of another account is as none', async () => {
  const { id } = await say('one');
  const hub = aHub();
  const stranger = aWatch(id);
  await hub.watchConversation({ ...stranger.watch, accountId: newUuid() });
  await until(() => stranger.left, ['reset']);
  expect(stranger.got).toEqual([]);
});

test('a visitor learns that the contact has a later conversation', async () => {
  const { id, revision } = await say('one');
  const hub = aHub();
  const visitor = aWatch(id, { after: revision });
  await hub.watchConversation(visitor.watch);
  await world.transact((tx) => closeConversation(tx, { accountId: world.accountId, id }));
  await say('another');
  hub.hear('everything');
  await until(() => visitor.got.at(-1)?.conversation, expect.objectContaining({ status: 'closed', isLatest: false }));
});

test('streams beyond those of a conversation are refused, and of the process, too', async () => {
  const [first, second] = [await say('one'), await say('one', 'bob')];
  const hub = aHub({ ofProcess: 3, ofConversation: 2 });
  const end = await hub.watchConversation(aWatch(first.id).watch);
  await hub.watchConversation(aWatch(first.id).watch);
  await expect(hub.watchConversation(aWatch(first.id).watch)).rejects.toMatchObject({ code: 'rate_limited' });
  await hub.watchConversation(aWatch(second.id).watch);
  await expect(hub.watchConversation(aWatch(second.id).watch)).rejects.toMatchObject({ code: 'unavailable' });
  end();
  await hub.watchConversation(aWatch(second.id).watch);
});

test('what could not be read is read again', async () => {
  const { id, revision } = await say('one');
  const hub = aHub();
  const visitor = aWatch(id, { after: revision });
  await hub.watchConversation(visitor.watch);
  await until(() => hub.statements.length >= 2, true);
  const next = await say('two');
  await world.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%later.contact_id%'`;
  hub.tell(next);
  await expect.poll(visitor.texts, { timeout: 20_000 }).toEqual(['two']);
});
