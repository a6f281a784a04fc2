import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishFlow } from '../../../../src/shared/flows/publish.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { publishedBefore } from '../../../helpers/states/flows.ts';
import { untold } from '../../../helpers/untold.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

const say = (id: string) => ({ id, type: 'send', messages: [{ text: id }] });

const ask = { id: 'ask', type: 'ask', prompt: 'Which number?', expects: 'text', next: { answered: 'if' } };
/** In its first meaning, texts that are written like numbers were compared as numbers. */
const isSame = { field: 'reply.text', op: 'is', value: '1234' };
const asking = [
  ask,
  { id: 'if', type: 'condition', rules: [isSame], next: { true: 'same', false: 'other' } },
  { ...say('same'), next: { default: null } },
  say('other'),
];

const publish = (id: string) =>
  world.db.begin((sql) =>
    publishFlow({ ...untold(sql), refuseUrl: () => undefined }, { accountId: world.accountId, id }),
  );

/** What a contact is told who answers 01234 in the version of the flow that is in force. */
const enters = async (flowId: string) => {
  const sender = `sender-${Math.random()}`;
  const { contactId } = await world.says(sender, 'hello');
  const run = await world.enrol(contactId, flowId);
  return {
    waits: () => world.advance(run),
    answers: async () => {
      await world.says(sender, '01234');
      await world.advance(run);
      return (await world.sentTo(contactId)).at(-1);
    },
  };
};

describe('a block whose meaning has changed', () => {
  test('a version keeps the meaning of its blocks until the next publish', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks: asking });
    await publishedBefore(world.db, flowId);
    const before = await enters(flowId);
    expect(await before.waits()).toMatchObject({ waiting: 'reply' });

    expect((await publish(flowId)).flow.version).toBe(2);
    const after = await enters(flowId);
    expect(await after.waits()).toMatchObject({ waiting: 'reply' });
    expect(await before.answers()).toBe('same');
    expect(await after.answers()).toBe('other');
  });

  test('publishing again for a changed meaning makes one version, and no second one', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks: asking });
    expect((await publish(flowId)).flow.version).toBe(1);
    await publishedBefore(world.db, flowId);
    expect((await publish(flowId)).flow.version).toBe(2);
    expect((await publish(flowId)).flow.version).toBe(2);
  });

  test('a changed meaning leaves versions without such a block as they are', async () => {
    const flowId = await aFlow(world.db, world.accountId, { blocks: [say('hello')] });
    await publishedBefore(world.db, flowId);
    expect((await publish(flowId)).flow.version).toBe(1);
  });
});
