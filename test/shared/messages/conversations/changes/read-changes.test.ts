import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { lockContact } from '../../../../../src/shared/contacts/lock-contact.ts';
import { assignHandover } from '../../../../../src/shared/handovers/assign.ts';
import { findOpenHandover } from '../../../../../src/shared/handovers/queries.ts';
import { requestHandover } from '../../../../../src/shared/handovers/request.ts';
import { resolveHandover } from '../../../../../src/shared/handovers/end.ts';
import type { EventTransact } from '../../../../../src/shared/facts/tell.ts';
import { newUuid } from '../../../../../src/shared/ids.ts';
import { assign, unassignUser } from '../../../../../src/shared/messages/conversations/assign.ts';
import { listActs } from '../../../../../src/shared/messages/conversations/changes/acts.ts';
import { readChanges } from '../../../../../src/shared/messages/conversations/changes/read-changes.ts';
import { closeConversation, reopenConversation } from '../../../../../src/shared/messages/conversations/close.ts';
import { findConversation } from '../../../../../src/shared/messages/conversations/find-conversations.ts';
import { markRead } from '../../../../../src/shared/messages/conversations/mark-read.ts';
import { addNote, listNotes } from '../../../../../src/shared/messages/conversations/notes.ts';
import { receiveInTransaction } from '../../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { receive } from '../../../../../src/shared/messages/inbound/receive.ts';
import {
  connectForMessages,
  createInboundStatements,
} from '../../../../../src/shared/messages/inbound/share-statements.ts';
import { markReadByContact } from '../../../../../src/shared/messages/outbound/mark-read-by-contact.ts';
import { queueMessages } from '../../../../../src/shared/messages/outbound/queue-messages.ts';
import { recordSent } from '../../../../../src/shared/messages/outbound/record-sent.ts';
import { recordSlot } from '../../../../../src/shared/messages/outbound/record-slot.ts';
import { takeSlots } from '../../../../../src/shared/messages/outbound/slots.ts';
import { listMessagesOf } from '../../../../../src/shared/messages/queries.ts';
import { startFlowWorld } from '../../../../helpers/flow-world.ts';
import { aChannel } from '../../../../helpers/messages.ts';
import { aColleague } from '../../../../helpers/states/accounts.ts';

// Writers of everything that a conversation has interleave with readers that lose, repeat and reorder what they read, on real PostgreSQL.

const world = await startFlowWorld();
const forMessages = connectForMessages(world.target);
afterAll(async () => {
  await forMessages.end();
  await world.stop();
});

/** More in the environment: CHANGES_RUNS. */
const numRuns = Number(process.env['CHANGES_RUNS'] || 8);

const kinds = [
  'receive',
  'receiveMany',
  'receiveInTransaction',
  'queue',
  'sent',
  'failed',
  'sentTogether',
  'readByContact',
  'note',
  'assign',
  'unassign',
  'close',
  'reopen',
  'handOver',
  'take',
  'handBack',
  'read',
] as const;
type Write = { kind: (typeof kinds)[number]; talk: number };
type Read = { talk: number; limit: number; fate: 'kept' | 'lost' | 'late' };

const talks = fc.integer({ min: 0, max: 2 });
const writes: fc.Arbitrary<Write[]> = fc.array(fc.record({ kind: fc.constantFrom(...kinds), talk: talks }), {
  minLength: 5,
  maxLength: 15,
});
const reads: fc.Arbitrary<Read[]> = fc.array(
  fc.record({
    talk: talks,
    limit: fc.integer({ min: 1, max: 6 }),
    fate: fc.constantFrom('kept', 'kept', 'lost', 'late'),
  }),
  { minLength: 5, maxLength: 25 },
);

const missing = (): never => {
  throw new Error('it is gone');
};

type Talk = { contactId: string; conversationId: string; sender: string };

/** The rows of a conversation, by their ids. */
type Rows = Map<string, { id: string; revision: number }>;

/** A client: what it has, and the revision to read on from. */
type Client = { rows: Rows; revision: number; late: (() => void)[] };

let deadlocks = 0;
/** As that of the world, which repeats what meets a deadlock: it counts them. */
const transact: EventTransact = (work) =>
  world.transact(async (tx) => {
    try {
      return await work(tx);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '40P01') deadlocks += 1;
      throw error;
    }
  });

/** Refusals and what there is nothing of are part of the game; faults are not. */
const orRefusal = async (work: () => Promise<unknown>): Promise<void> => {
  await work().catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'RequestError')) throw error;
  });
};

const processes = [forMessages, world.db].map((connection) =>
  createInboundStatements({ db: world.db, forMessages: connection }),
);

const write = async ({ kind, talk: at }: Write, all: readonly Talk[], { channelId, userId }: Shop): Promise<void> => {
  const { db, accountId } = world;
  const { contactId, conversationId, sender } = all[at] ?? missing();
  const which = { accountId, id: conversationId };
  const incoming = () => ({
    accountId,
    channelId,
    message: { message_id: newUuid(), sender: { external_id: sender }, text: 'Hello' },
  });
  const outbound = () => db<{ messageId: string; laneId: string | null; seq: number; ref: string | null }[]>`
    select o.message_id, s.id as lane_id, o.seq::float8 as seq, o.external_ref as ref from outbound_messages o left join sendings s using (conversation_id)
    where o.conversation_id = ${conversationId} order by random() limit 1`;
  const record = async (outcome: 'sent' | 'failed') => {
    const [message] = await outbound();
    if (message)
      await recordSlot(
        { transact },
        { messageId: message.messageId, number: 1, outcome, ref: newUuid(), reason: 'status', statusCode: 500 },
      );
  };
  switch (kind) {
    case 'receive':
    case 'receiveMany': {
      const messages = Array.from({ length: kind === 'receive' ? 1 : 4 }, incoming);
      await Promise.all(messages.map((one, n) => receive({ ...world, inbound: processes[n % 2] ?? missing() }, one)));
      return;
    }
    case 'receiveInTransaction':
      return void (await transact((tx) => receiveInTransaction(tx, incoming())));
    case 'queue':
      await transact(async (tx) => {
        await lockContact(tx.sql, { accountId, contactId });
        await queueMessages(tx, { accountId, contactId, channelId, messages: [{ text: 'One' }, { text: 'Two' }] });
      });
      return;
    case 'sent':
    case 'failed':
      return record(kind);
    case 'sentTogether': {
      const sender = newUuid();
      const lanes = await db<
        { id: string }[]
      >`select id from sendings where contact_id = any(${all.map((talk) => talk.contactId)})`;
      const laneIds = lanes.map(({ id }) => id);
      const heads = await takeSlots(db, { laneIds, sender });
      const sent = [...heads].flatMap(([laneId, head]) =>
        head === 'empty'
          ? []
          : [{ laneId, messageId: head.message.id, seq: head.seq, attempts: 1, statusCode: 200, ref: newUuid() }],
      );
      return void (await recordSent(db, { sent, sender }));
    }
    case 'readByContact': {
      const [message] = await outbound();
      const ref = message?.ref;
      if (ref) await world.autocommit((statement) => markReadByContact(statement, { accountId, channelId, ref }));
      return;
    }
    case 'note':
      return void (await transact((tx) => addNote(tx, { ...which, text: 'A note' })));
    case 'assign':
      return void (await transact((tx) => assign(tx, { ...which, userId })));
    case 'unassign':
      return transact((tx) => unassignUser(tx, { accountId, userId }));
    case 'close':
      return void (await transact((tx) => closeConversation(tx, which)));
    case 'reopen':
      return orRefusal(() => transact((tx) => reopenConversation(tx, which)));
    case 'handOver':
      return orRefusal(() =>
        transact((tx) =>
          requestHandover(tx, {
            accountId,
            asked: { conversation_id: conversationId, reason: 'Help' },
            requestedBy: 'api',
          }),
        ),
      );
    case 'take':
    case 'handBack': {
      const handover = await findOpenHandover(db, contactId);
      if (!handover) return;
      const { id } = handover;
      return void (await transact((tx) =>
        kind === 'take'
          ? assignHandover(tx, { accountId, id, userId })
          : resolveHandover(tx, { accountId, id, outcome: undefined }),
      ));
    }
    case 'read':
      return world.autocommit((statement) => markRead(statement, which));
  }
};

/** Reads on, and puts what came in by its ids: at once, never, or after later answers. */
const readOn = async (client: Client, talk: Talk, { limit, fate }: Omit<Read, 'talk'>): Promise<boolean> => {
  const { revision: after } = client;
  const asked = { accountId: world.accountId, conversationId: talk.conversationId, after, limit };
  const { messages, notes, acts, conversation, revision, hasMore } = (await readChanges(world.db, asked)) ?? missing();
  // The product's own place of a row in an answer.
  const rows = [...messages, ...notes, ...acts].map((row) => ('at' in row ? { ...row, at: undefined } : row));
  expect(rows.length).toBeLessThanOrEqual(limit);
  expect(revision).toBeGreaterThanOrEqual(after);
  if (!hasMore) expect(revision).toBe(conversation.revision);
  for (const row of rows) expect(row.revision).toBeGreaterThan(after);
  const put = (): void => {
    for (const row of rows) if (row.revision > (client.rows.get(row.id)?.revision ?? -1)) client.rows.set(row.id, row);
  };
  if (fate === 'lost') return true;
  client.revision = revision;
  if (fate === 'late') client.late.push(put);
  else put();
  return hasMore;
};

const rowsOf = async ({ conversationId: id }: Talk): Promise<Rows> => {
  const { db, accountId } = world;
  const page = { limit: 10_000, before: undefined };
  const messages = await listMessagesOf(db, id, page);
  const notes = await listNotes(db, { accountId, id }, page);
  return new Map([...messages, ...notes, ...(await listActs(db, { accountId, id }, page))].map((row) => [row.id, row]));
};

type Shop = { channelId: string; userId: string };

const aShop = async (): Promise<Shop & { all: Talk[] }> => {
  const channelId = await aChannel(world, 'https://127.0.0.1:9/hook');
  const userId = await aColleague(world.db, world.accountId, 'agent');
  const all: Talk[] = [];
  for (const sender of ['ada', 'bob', 'eve']) {
    const message = { message_id: newUuid(), sender: { external_id: sender }, text: 'Hi' };
    const { contactId } = await transact((tx) =>
      receiveInTransaction(tx, { accountId: world.accountId, channelId, message }),
    );
    const [talk] = await world.db<{ id: string }[]>`select id from conversations where contact_id = ${contactId}`;
    all.push({ contactId, conversationId: talk?.id ?? missing(), sender });
  }
  return { channelId, userId, all };
};

test('a reader that loses, repeats and reorders answers ends with the rows of the table', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writes, { minLength: 4, maxLength: 4 }), reads, async (writers, reading) => {
      const { all, ...shop } = await aShop();
      const clients = all.map((): Client => ({ rows: new Map(), revision: 0, late: [] }));
      const readAll = async (): Promise<void> => {
        for (const { talk, ...how } of reading) await readOn(clients[talk] ?? missing(), all[talk] ?? missing(), how);
      };
      const writeAll = async (some: readonly Write[]): Promise<void> => {
        for (const one of some) await write(one, all, shop);
      };
      await Promise.all([...writers.map(writeAll), readAll()]);
      for (const [at, talk] of all.entries()) {
        const client = clients[at] ?? missing();
        while (await readOn(client, talk, { limit: 5, fate: 'kept' }));
        for (const put of client.late) put();
        const expected = await rowsOf(talk);
        expect(client.rows).toEqual(expected);
        expect(new Set([...expected.values()].map(({ revision }) => revision)).size).toBe(expected.size);
        const { revision } = (await findConversation(world.db, world.accountId, talk.conversationId)) ?? missing();
        expect(client.revision).toBe(revision);
      }
      expect(deadlocks).toBe(0);
    }),
    { numRuns, endOnFailure: true },
  );
}, 600_000);
