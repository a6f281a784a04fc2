import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { connectForBatches } from '../../../../../src/shared/deliveries/outbox/statements.ts';
import { newUuid } from '../../../../../src/shared/ids.ts';
import { createLaneStatements } from '../../../../../src/shared/messages/outbound/outbox/statements.ts';
import { laneWork, type LaneRow } from '../../../../../src/shared/messages/outbound/work.ts';
import { startDeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { holdLock } from '../../../../helpers/locks.ts';
import { aChannel, aTalk, send } from '../../../../helpers/messages.ts';
import { handLaneTo } from '../../../../helpers/states/sendings.ts';

test.each(['giveBack', 'leaveToSweep'] as const)(
  'a locked lane holds up no other that is left with it: %s',
  async (way) => {
    const world = await startDeliveryWorld();
    onTestFinished(() => world.stop());
    const { db, transact } = world;
    const channelId = await aChannel(world, 'https://127.0.0.1:1/');
    const sender = newUuid();
    for (const _ of [1, 2, 3])
      await handLaneTo(db, await send(world, await aTalk(world, channelId)), { sender, seconds: 50 });
    const lanes = await db<LaneRow[]>`select ${laneWork.columns(db)} from sendings order by id`;
    const held = await holdLock(db, (sql) => sql`select from sendings where id = ${lanes[0]?.id ?? ''} for update`);
    const forBatches = connectForBatches(world.target);
    onTestFinished(() => forBatches.end());
    const log = pino({ level: 'silent' });
    const statements = createLaneStatements({ sender, transact, forBatches, tellTopics: () => {}, log });
    for (const lane of lanes) statements[way](lane);
    await statements.drain();
    const overdue = await db<{ id: string }[]>`select id from sendings where sweep_at <= clock_timestamp() order by id`;
    await held.letThrough();
    expect(overdue.map(({ id }) => id)).toEqual(lanes.slice(1).map(({ id }) => id));
  },
);
