import { afterAll, beforeAll, expect, test } from 'vitest';
import { endHandover, expireHandovers } from '../../../src/shared/handovers/end.ts';
import { assignHandover } from '../../../src/shared/handovers/assign.ts';
import { requestHandover } from '../../../src/shared/handovers/request.ts';
import { updateContact } from '../../../src/shared/contacts/queries.ts';
import { lockContact } from '../../../src/shared/contacts/lock-contact.ts';
import { RequestError } from '../../../src/shared/errors.ts';
import { readInboxCounts } from '../../../src/shared/inbox/counts.ts';
import { foldInboxCounts } from '../../../src/shared/inbox/fold-counts.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { assign, unassignUser } from '../../../src/shared/messages/conversations/assign.ts';
import { closeConversation, reopenConversation } from '../../../src/shared/messages/conversations/close.ts';
import { handBack, handOver } from '../../../src/shared/messages/conversations/hand-on.ts';
import { snooze, wakeSnoozed } from '../../../src/shared/messages/conversations/snooze.ts';
import { receiveInTransaction } from '../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { reply } from '../../../src/shared/messages/outbound/reply.ts';
import { anInboundMessage } from '../../helpers/builders.ts';
import { numbersBy } from '../../helpers/seeded-numbers.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { aChannel } from '../../helpers/messages.ts';
import { aColleague } from '../../helpers/states/accounts.ts';
import { letSnoozesLapse } from '../../helpers/states/conversations.ts';
import { letHandoversLapse } from '../../helpers/states/handovers.ts';
import { noLinks } from '../../helpers/no-links.ts';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());

const operationsInAll = 10_000;

test('owners, handovers and counts of the inbox agree after 10,000 random operations, many at a time', async () => {
  const { accountId, db, transact, channelKinds } = world;
  await aFlow(db, accountId, {
    blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }],
    triggers: [{ type: 'keyword', match: 'exact', words: ['hello'] }],
  });
  const users = await Promise.all(Array.from({ length: 4 }, () => aColleague(db, accountId, 'agent')));
  const channels = await Promise.all([aChannel(world, null), aChannel(world, null)]);
  const seed = Number(process.env['INBOX_SEED'] ?? Date.now() % 1_000_000);
  const random = numbersBy(seed);
  const anyOf = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const one = <Item>(items: readonly Item[]): Item => {
    const item = anyOf(items);
    if (item === undefined) throw new Error('there is none');
    return item;
  };
  const senders = Array.from({ length: 40 }, () => newUuid());

  const write = () => {
    const incoming = {
      accountId,
      channelId: one(channels),
      message: anInboundMessage({ sender: { external_id: one(senders) } }),
    };
    return transact((tx) => receiveInTransaction(tx, incoming)).then(() => undefined);
  };
  for (let count = 0; count < 100; count += 1) await write();
  const conversations = async () =>
    (
      await db<
        { id: string; contactId: string }[]
      >`select id, contact_id from conversations where account_id = ${accountId}`
    ).slice();
  const handovers = async () =>
    (await db<{ id: string }[]>`select id from handovers where account_id = ${accountId}`).slice();
  let talks = await conversations();
  let asked: { id: string }[] = [];
  const aTalk = () => one(talks);

  const operations: (() => Promise<unknown>)[] = [
    write,
    write,
    () => transact((tx) => assign(tx, { accountId, id: aTalk().id, userId: anyOf([...users, null]) ?? null })),
    () => transact((tx) => handOver(tx, { accountId, id: aTalk().id, userId: one(users), note: undefined })),
    () => transact((tx) => handBack(tx, { accountId, id: aTalk().id })),
    () => transact((tx) => closeConversation(tx, { accountId, id: aTalk().id })),
    () => transact((tx) => reopenConversation(tx, { accountId, id: aTalk().id })),
    () =>
      transact((tx) =>
        snooze(tx, { accountId, id: aTalk().id, until: anyOf([new Date(Date.now() + 3_600_000), null]) ?? null }),
      ),
    () => letSnoozesLapse(db, aTalk().id),
    () => wakeSnoozed({ transact }),
    () => {
      const given = { text: 'Yes', client_ref: newUuid(), next: anyOf([undefined, 'close'] as const) };
      const replying = { accountId, conversationId: aTalk().id, userId: one(users), channelKinds, linkTo: noLinks };
      return transact((tx) => reply(tx, { ...replying, reply: given }));
    },
    () => {
      const { id, contactId } = aTalk();
      const about = one([{ conversation_id: id }, { contact_id: contactId }]);
      return transact((tx) =>
        requestHandover(tx, { accountId, asked: { ...about, reason: 'Help' }, requestedBy: 'api' }),
      );
    },
    () => {
      const [some] = asked.length > 0 ? [one(asked)] : [];
      const userId = anyOf([...users, null]) ?? null;
      return some ? transact((tx) => assignHandover(tx, { accountId, id: some.id, userId })) : Promise.resolve();
    },
    () => {
      const { contactId, id } = aTalk();
      return transact(async (tx) => {
        await lockContact(tx.sql, { accountId, contactId });
        await endHandover(tx, { contactId, status: 'resolved', if: { conversationId: id } });
      });
    },
    () => {
      const status = one(['active', 'blocked', 'unsubscribed'] as const);
      return transact((tx) => updateContact(tx, { accountId, id: aTalk().contactId, changes: { status } }));
    },
    () => transact((tx) => unassignUser(tx, { accountId, userId: one(users) })),
    () => foldInboxCounts(db),
  ];
  /** What the state refuses is refused; anything else is a fault. */
  const carryOut = (operation: () => Promise<unknown>) =>
    operation().catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
    });

  const batch = 8;
  for (let done = 0; done < operationsInAll; done += batch) {
    await Promise.all(Array.from({ length: batch }, () => carryOut(one(operations))));
    if (done % 1_000 !== 0) continue;
    if (done % 2_000 === 0) {
      await letHandoversLapse(db, accountId);
      await expireHandovers({ db, transact });
    }
    await requireAgreement({ users, seed });
    talks = await conversations();
    asked = await handovers();
  }
  expect(await requireAgreement({ users, seed })).toBeGreaterThan(100);
}, 300_000);

/** Answers how many conversations agree. */
const requireAgreement = async ({ users, seed }: { users: string[]; seed: number }): Promise<number> => {
  const { accountId, db } = world;
  const apart = await db`
    select v.id, v.assigned_to, v.waiting_since, h.assigned_to as taken_by, h.created_at
    from conversations v left join handovers h on h.conversation_id = v.id and h.status = 'open'
    where v.account_id = ${accountId} and (
      (v.status = 'open' and h.id is not null and h.assigned_to is distinct from v.assigned_to)
      or (v.status = 'closed' and h.id is not null)
      or v.waiting_since is distinct from
        case when v.status = 'open' and v.assigned_to is null and h.id is not null then date_trunc('milliseconds', h.created_at) end
      or (v.status = 'closed' and v.snoozed_until is not null))`;
  expect({ seed, apart: [...apart] }).toEqual({ seed, apart: [] });
  for (const userId of users) {
    const [counted] = await db<Record<string, number>[]>`
      with v as (select * from conversations where account_id = ${accountId}),
        awake as (select * from v where status = 'open' and snoozed_until is null)
      select (select count(*)::int from awake where assigned_to = ${userId}) as mine,
        (select count(*)::int from awake where waiting_since is not null) as waiting,
        (select count(*)::int from awake where assigned_to is null) as unassigned,
        (select count(*)::int from awake) as open,
        (select count(*)::int from v where status = 'open' and snoozed_until is not null) as snoozed,
        (select count(*)::int from v where status = 'closed') as closed`;
    const { by_channel: byChannel, ...kept } = await readInboxCounts(db, { accountId, userId });
    expect({ seed, kept }).toEqual({ seed, kept: counted });
    const inChannels = await db<{ channelId: string; open: number }[]>`
      select channel_id, count(*)::int as open from conversations
      where account_id = ${accountId} and status = 'open' and snoozed_until is null group by channel_id`;
    const expected = new Map(inChannels.map(({ channelId, open }) => [showId('channel', channelId), open]));
    expect(new Map(byChannel.map(({ channel_id, open }) => [channel_id, open]))).toEqual(expected);
  }
  const [all] = await db<{ count: number }[]>`
    select count(*)::int as count from conversations where account_id = ${accountId}`;
  return all?.count ?? 0;
};
