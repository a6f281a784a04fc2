import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessage } from '../../../src/shared/conversations/receive-message.ts';
import { withReactions } from '../../../src/shared/events/emit.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { createTransact } from '../../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../../src/shared/reactions.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';

let world: FlowWorld;
let counted: postgres.Sql;
let statements: string[];
beforeAll(async () => {
  world = await startFlowWorld();
  // A socket's folder stands in the url in the place of the host.
  const host = decodeURIComponent(URL.parse(world.target)?.hostname ?? '');
  counted = postgres(world.target, {
    ...(host.startsWith('/') && { host }),
    max: 1,
    transform: { column: postgres.camel.column },
    debug: (_, statement) => statements.push(statement),
  });
});
afterAll(async () => {
  await counted.end();
  await world.stop();
});

/** What a message of somebody who has written before costs: the statements by their first word, and writes to the contact's row. */
const costOf = async (text: string) => {
  const { accountId, channelId } = world;
  const sender = { external_id: 'ada' };
  const receive = () =>
    withReactions(
      reactions,
      createTransact(counted, () => {}),
    )((tx) => receiveMessage(tx, { accountId, channelId, message: { message_id: newUuid(), sender, text } }));
  const versionOfContact = async (id: string) => (await world.db`select ctid, xmin from contacts where id = ${id}`)[0];
  statements = [];
  const { contactId } = await receive();
  const before = await versionOfContact(contactId);
  statements = [];
  await receive();
  const words = statements.map((statement) => statement.trim().split(/\s/)[0]);
  return { words, contactIsWritten: JSON.stringify(await versionOfContact(contactId)) !== JSON.stringify(before) };
};

test('a message in an account without flows costs two statements (three in 0.2), and writes nothing to its contact', async () => {
  expect(await costOf('Hello')).toEqual({ words: ['begin', 'with', 'insert', 'commit'], contactIsWritten: false });
});

test('a message beside keywords that it has not costs three statements more, and its contact is locked and not written', async () => {
  const blocks = [{ id: 'done', type: 'end' }];
  for (const word of ['shirt', 'menu']) {
    const triggers = [{ type: 'keyword', match: 'exact', words: [word] }];
    await aFlow(world.db, world.accountId, { blocks, triggers });
  }
  expect(await costOf('Hello')).toEqual({
    words: ['begin', 'with', 'insert', 'select', 'select', 'update', 'commit'],
    contactIsWritten: false,
  });
});
