import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { receive } from '../../../../src/shared/messages/inbound/receive.ts';
import type { Incoming, Received } from '../../../../src/shared/messages/inbound/message.ts';
import { receiveInTransaction } from '../../../../src/shared/messages/inbound/receive-in-transaction.ts';
import { createInboundStatements } from '../../../../src/shared/messages/inbound/share-statements.ts';
import { withReactions, withTopics } from '../../../../src/shared/facts/tell.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import type { Database } from '../../../../src/shared/platform/db/connect.ts';
import { createAutocommit, createTransact } from '../../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../../src/shared/reactions.ts';
import { createAdvance } from '../../../../src/shared/runs/engine/advance-in-transaction.ts';
import { createVersions } from '../../../../src/shared/runs/engine/versions.ts';
import { connectOverheard } from '../../../helpers/database.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { retireWebhooks } from '../../../helpers/states/webhooks.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { noLinks } from '../../../helpers/no-links.ts';

let world: FlowWorld;
let counted: Database;
let statements: string[];
beforeAll(async () => {
  world = await startFlowWorld();
  counted = connectOverheard(world.target, (statement) => statements.push(statement));
});
afterAll(async () => {
  await counted.end();
  await world.stop();
});

const inTransaction = (incoming: Incoming): Promise<Received> =>
  withReactions(
    reactions,
    createTransact(counted, () => {}),
  )((tx) => receiveInTransaction(tx, incoming));

const atOnce = async (incoming: Incoming): Promise<Received> =>
  (await receive(
    {
      autocommit: withTopics(createAutocommit(counted, () => {})),
      inbound: createInboundStatements({ db: counted, forMessages: counted }),
    },
    incoming,
  )) ?? inTransaction(incoming);

/** What a message of somebody who has written before costs: the statements by their first word, and writes to the contact's row. */
const costOf = async (text: string, take: (incoming: Incoming) => Promise<Received> = inTransaction) => {
  const { accountId, channelId } = world;
  const sender = { external_id: 'ada' };
  const receive = () => take({ accountId, channelId, message: { message_id: newUuid(), sender, text } });
  const versionOfContact = async (id: string) => (await world.db`select ctid, xmin from contacts where id = ${id}`)[0];
  statements = [];
  const { contactId } = await receive();
  const before = await versionOfContact(contactId);
  statements = [];
  await receive();
  const words = statements.map((statement) => statement.trim().split(/\s/)[0]);
  return { words, contactIsWritten: JSON.stringify(await versionOfContact(contactId)) !== JSON.stringify(before) };
};

test('a message with its delivery, in an account without flows, costs two statements that commit by themselves (six in 0.2)', async () => {
  await world.aWebhook({ url: 'https://receiver.example/hook' });
  onTestFinished(() => retireWebhooks(world.db));
  expect(await costOf('Hello', atOnce)).toEqual({ words: ['with', 'with'], contactIsWritten: false });
});

test('the same in a transaction, as with an Idempotency-Key, costs two statements, and writes nothing to its contact', async () => {
  expect(await costOf('Hello')).toEqual({ words: ['begin', 'with', 'insert', 'commit'], contactIsWritten: false });
});

describe('a message beside keywords that it has not', () => {
  beforeAll(async () => {
    const blocks = [{ id: 'done', type: 'end' }];
    for (const word of ['shirt', 'menu']) {
      const triggers = [{ type: 'keyword', match: 'exact', words: [word] }];
      await aFlow(world.db, world.accountId, { blocks, triggers });
    }
  });

  test('costs the same two statements, and its contact is locked and not written', async () => {
    expect(await costOf('Hello', atOnce)).toEqual({ words: ['with', 'with'], contactIsWritten: false });
  });

  test('costs one more in a transaction', async () => {
    expect(await costOf('Hello')).toEqual({
      words: ['begin', 'with', 'insert', 'update', 'commit'],
      contactIsWritten: false,
    });
  });
});

test('a message that begins a flow costs 14 statements with its pass, and one that answers 20', async () => {
  const ask = { id: 'q', type: 'ask', prompt: 'Q', expects: 'any', next: { timeout: null } };
  const told = { id: 'r', type: 'send', messages: [{ text: 'R' }] };
  const triggers = [{ type: 'keyword', match: 'exact', words: ['ask'] }];
  await aFlow(world.db, world.accountId, { triggers, reentry: 'allow', blocks: [ask, told] });
  const advance = createAdvance({
    readVersion: createVersions(),
    place: (next) => next,
    baseUrl: '',
    lastingLinkTo: noLinks,
    apiUrl: '',
    onPass: () => {},
    onFailure: (_, error) => expect.fail(String(error)),
  });
  const passing = withReactions(
    { ...reactions, advance },
    createTransact(counted, () => {}),
  );
  const { accountId, channelId } = world;
  const costIn = async (text: string) => {
    statements = [];
    const message = { message_id: newUuid(), sender: { external_id: 'bob' }, text };
    await passing((tx) => receiveInTransaction(tx, { accountId, channelId, message }));
    return statements.length;
  };
  for (const text of ['hello', 'ask', 'yes']) await costIn(text);
  expect([await costIn('ask'), await costIn('yes')]).toEqual([14, 20]);
});

test('no statement of a message in a transaction is planned anew each time', async () => {
  for (let count = 0; count < 12; count += 1) await costOf('shirt');
  const planned = await counted`select statement from pg_prepared_statements where custom_plans > 6`;
  expect(planned).toEqual([]);
});
