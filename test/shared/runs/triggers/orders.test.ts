import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderChanges, newOrder } from '../../../../src/shared/orders/schema.ts';
import { changeStatus, placeOrder } from '../../../../src/shared/orders/write.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { anOrder } from '../../../helpers/builders.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';

let world: FlowWorld;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());

/** A contact with what its shop tells of its orders. */
const aCustomer = async () => {
  const { contactId } = await world.says(newUuid(), 'hello');
  const parsed = (fields: object) => newOrder.parse(anOrder(showId('contact', contactId), fields));
  return {
    contactId,
    place: (fields: object = {}) => world.transact((tx) => placeOrder(tx, world.accountId, parsed(fields))),
  };
};

const change = (id: string, status: string) =>
  world.transact((tx) => changeStatus(tx, { accountId: world.accountId, id, changes: orderChanges.parse({ status }) }));

const flow = (blocks: FlowBlocks, triggers: readonly object[] = []) =>
  aFlow(world.db, world.accountId, { blocks, triggers });

const say = (text: string) => ({ id: 'say', type: 'send', messages: [{ text }] });

const runsOf = (contactId: string) => world.db<{ id: string; flowId: string }[]>`
  select id, flow_id from runs where contact_id = ${contactId} order by id`;

test('placing an order starts the flow that it triggers once, which can read the order', async () => {
  const { contactId, place } = await aCustomer();
  const thanks = await flow(
    [say('{{event.name}}: {{event.order.number}}, {{event.order.total}} {{event.order.currency}}')],
    [{ type: 'order_placed' }],
  );
  await place({ external_id: 'a' });
  await place({ external_id: 'a', total: 1 });
  const runs = await runsOf(contactId);
  expect(runs.map(({ flowId }) => flowId)).toEqual([thanks]);
  expect(await world.advance(runs[0]?.id ?? '')).toEqual({ type: 'over', status: 'completed' });
  expect(await world.sentTo(contactId)).toEqual(['order_placed: #1042, 4990 EUR']);
});

test('a changed status starts the flow of that status, else the one of any status', async () => {
  const { contactId, place } = await aCustomer();
  const trigger = (status?: string) => flow([say('x')], [{ type: 'order_status_changed', ...(status && { status }) }]);
  const [shipped, refunded, any] = [await trigger('Shipped'), await trigger('refunded'), await trigger()];
  const { id, externalId } = await place();
  await change(id, 'refunded');
  await place({ external_id: externalId, status: 'shipped' });
  await change(id, 'lost');
  await change(id, 'lost');
  const started = (await runsOf(contactId)).map(({ flowId }) => flowId);
  expect(started.filter((flowId) => [shipped, refunded, any].includes(flowId))).toEqual([refunded, shipped, any]);
});

test('a run waits for an order to be placed, and then for the status that it wants', async () => {
  const { contactId, place } = await aCustomer();
  const wait = { type: 'wait_event', fresh: true, next: { timeout: null } };
  const rules = [
    { field: 'event.order.to', op: 'is', value: 'shipped' },
    { field: 'event.order.total', op: 'gt', value: 1_000 },
  ];
  const blocks = [
    { id: 'ordered', ...wait, event: 'order_placed' },
    { id: 'shipped', ...wait, event: 'order_status_changed', rules },
    say('{{event.order.number}} was {{event.order.from}}'),
  ];
  const run = await world.enrol(contactId, await flow(blocks));
  expect(await world.advance(run)).toMatchObject({ waiting: 'event', blockId: 'ordered' });
  const { id } = await place({ status: 'new' });
  expect(await world.advance(run)).toMatchObject({ waiting: 'event', blockId: 'shipped' });
  await change(id, 'paid');
  expect(await world.advance(run)).toMatchObject({ waiting: 'event', blockId: 'shipped' });
  await change(id, 'shipped');
  expect(await world.advance(run)).toEqual({ type: 'over', status: 'completed' });
  expect((await world.sentTo(contactId)).at(-1)).toBe('#1042 was paid');
});

test('an order that could not be written whole has no event, delivery or run, and wakes nobody', async () => {
  const { contactId, place } = await aCustomer();
  await world.aWebhook({ url: 'https://receiver.example/' });
  const run = await world.enrol(
    contactId,
    await flow([{ id: 'w', type: 'wait_event', event: 'order_status_changed' }]),
  );
  await world.advance(run);
  const { id } = await place();
  const counts = () => world.db`
    select (select count(*) from events where contact_id = ${contactId}) as events, (select count(*) from deliveries) as deliveries,
      (select count(*) from runs where contact_id = ${contactId}) as runs,
      (select count(*) from run_inputs where run_id = ${run}) as inputs, status from orders where id = ${id}`;
  const before = await counts();
  const asked = world.dispatched.length;
  const failing = world.transact(async (tx) => {
    await changeStatus(tx, { accountId: world.accountId, id, changes: { status: 'shipped' } });
    throw new Error('the rest of the write failed');
  });
  await expect(failing).rejects.toThrow('the rest of the write failed');
  expect(await counts()).toEqual(before);
  expect(world.dispatched).toHaveLength(asked);
  await change(id, 'shipped');
  expect(await counts()).not.toEqual(before);
});
