import { Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectDatabase } from '../../../../src/shared/platform/db/connect.ts';
import { claimLimit, claimOverdue, countResume } from '../../../../src/shared/platform/dispatch/overdue.ts';
import { createStarts, startOnce } from '../../../../src/shared/platform/dispatch/start-once.ts';
import { createSweep } from '../../../../src/shared/platform/dispatch/sweep.ts';
import { asItem, type Outbox } from '../../../../src/shared/platform/dispatch/work.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { selectFairly } from '../../../../src/shared/deliveries/fair-claim.ts';
import { deliveryWork, isFirstAttempt, workColumns } from '../../../../src/shared/deliveries/work.ts';
import type { DeliveryWorkRow } from '../../../../src/shared/deliveries/work.ts';
import { nobody } from '../../../../src/shared/platform/processes/own-process.ts';
import { replayDelivery } from '../../../../src/shared/deliveries/replay.ts';
import { endRound } from '../../../../src/shared/deliveries/rounds.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { aDelivery } from '../../../helpers/deliveries.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { clientOfSilence } from '../../../helpers/silent-temporal.ts';
import { startDevServer, type DevServer } from '../../../helpers/temporal.ts';
import { works } from '../../../../src/shared/works.ts';
import { deliveriesOf } from '../../../helpers/items.ts';
import { deleteProcess } from '../../../../src/shared/platform/processes/processes.ts';
import { emptyLog, handTo, lastReported, makeOverdue } from '../../../helpers/states/deliveries.ts';

let temporal: DevServer;
let world: DeliveryWorld;

beforeAll(async () => {
  [temporal, world] = await Promise.all([startDevServer(), startDeliveryWorld()]);
});

beforeEach(async () => {
  await emptyLog(world.db);
});

afterAll(async () => {
  await Promise.all([world.stop(), temporal.stop()]);
});

/** Deliveries whose retry is overdue, the first of them the longest. */
const overdue = async (count: number, webhookId = newUuid()): Promise<string[]> => {
  const { db, accountId } = world;
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const id = await aDelivery(db, { accountId, webhookId, status: 'retrying' });
    await makeOverdue(db, id);
    ids.push(id);
  }
  return ids;
};

/** A sweep whose Temporal refuses some workflows, by their ids. `tell` gets each log line. */
const sweepRefused = (refuses: (workflowId: string) => boolean, tell: (line: string) => void = () => {}) => {
  const client = new Client({
    connection: temporal.nativeConnection,
    interceptors: {
      workflow: [
        {
          startWithDetails: (input, next) => {
            if (refuses(input.options.workflowId)) throw new Error('refused');
            return next(input);
          },
        },
      ],
    },
  });
  const log = pino({ level: 'info' }, { write: tell });
  return createSweep({ works, db: world.db, client: () => client, temporalAnswers: async () => true, log });
};

test('a sweep that finds nothing overdue uses none of the connections for requests', async () => {
  const taken = connectDatabase(world.target, { max: 1 });
  await taken.end();
  const client = new Client({ connection: temporal.nativeConnection });
  const log = pino({ level: 'silent' });
  const known = { works, client: () => client, temporalAnswers: async () => true, log };
  expect(await createSweep({ ...known, db: taken, forClaims: world.db })()).toBe(0);
});

/** The database's clock and a delivery's next sweep, both in seconds. */
const readClock = async (id: string): Promise<{ now: number; sweepsAt: number }> => {
  const [row] = await world.db<{ now: number; sweepsAt: number }[]>`
    select extract(epoch from clock_timestamp())::float as now, extract(epoch from sweep_at)::float as sweeps_at
    from deliveries where id = ${id}`;
  return row ?? { now: NaN, sweepsAt: NaN };
};

/** Sweeps, and expects the delivery's next sweep so many seconds later. */
const expectNextSweep = async (id: string, { sweep, seconds }: { sweep: () => Promise<unknown>; seconds: number }) => {
  const before = await readClock(id);
  await sweep();
  const after = await readClock(id);
  const roundedTo = 2.5;
  expect(after.sweepsAt).toBeGreaterThan(before.now + seconds - roundedTo);
  expect(after.sweepsAt).toBeLessThan(after.now + seconds + roundedTo);
};

const secondsAway = async (id: string): Promise<number> => {
  const [row] = await world.db<{ seconds: number }[]>`
    select extract(epoch from sweep_at - clock_timestamp())::float as seconds from deliveries where id = ${id}`;
  return row?.seconds ?? NaN;
};

test('a delivery whose start always fails holds up no other, and is swept less and less often', async () => {
  const count = claimLimit + 50;
  const [refused = ''] = await overdue(count);
  const sweep = sweepRefused((workflowId) => workflowId.includes(showId('delivery', refused)));
  await expectNextSweep(refused, { sweep: async () => expect(await sweep()).toBe(count - 1), seconds: 5 });
  for (const seconds of [10, 20, 40, 60, 60]) {
    await makeOverdue(world.db, refused);
    await expectNextSweep(refused, { sweep: async () => expect(await sweep()).toBe(0), seconds });
  }
});

test('each claim logs the number of its own starts', async () => {
  const count = claimLimit + 50;
  await overdue(count);
  const told: number[] = [];
  const sweep = sweepRefused(
    () => false,
    (line) => told.push(JSON.parse(line).started),
  );
  expect(await sweep()).toBe(count);
  expect(told).toEqual([claimLimit, 50]);
});

test('a sweep ends when all starts of a claim fail, and leaves the rest for the next one', async () => {
  await overdue(claimLimit + 50);
  const sweep = sweepRefused(() => true);
  expect(await sweep()).toBe(0);
  const [left] = await world.db<{ count: number }[]>`
    select count(*)::int as count from deliveries where sweep_at <= now()`;
  expect(left?.count).toBe(50);
});

/** A sweep beside an outbox that has room for the rows of one webhook, and takes but does not send them. */
const sweepBesideOutbox = (temporalAnswers: boolean, roomFor: string) => {
  const sent: string[] = [];
  const outbox: Outbox<DeliveryWorkRow> = {
    work: deliveryWork,
    takes: isFirstAttempt,
    holds: () => false,
    mayHaveBeenSent: ({ mayHaveBeenSent = false }) => mayHaveBeenSent,
    hasRoom: ({ webhookId }) => webhookId === roomFor,
    send: async ({ id }) => void sent.push(id),
    giveBack: () => {},
  };
  const client = new Client({ connection: temporal.nativeConnection });
  const known = { works, db: world.db, client: () => client, log: pino({ level: 'silent' }) };
  return { sent, sweep: createSweep({ ...known, temporalAnswers: async () => temporalAnswers, outboxes: [outbox] }) };
};

const unsent = async (webhookId: string): Promise<string> => {
  const id = await aDelivery(world.db, { accountId: world.accountId, webhookId, status: 'pending' });
  await makeOverdue(world.db, id);
  return id;
};

test.each([true, false])(
  'an overdue first attempt goes to the outbox, and a retry to Temporal, answering: %s',
  async (answers) => {
    const webhookId = newUuid();
    const [first, [retry = '']] = [await unsent(webhookId), await overdue(1, webhookId)];
    const { sent, sweep } = sweepBesideOutbox(answers, webhookId);
    expect(await sweep()).toBe(answers ? 1 : 0);
    expect(sent).toEqual([first]);
    expect(await secondsAway(first)).toBeGreaterThan(50);
    expect(await secondsAway(retry)).toBeLessThan(answers ? 25 : 0);
  },
);

test('an overdue first attempt whose webhook has no room is swept again after 5 s', async () => {
  const id = await unsent(newUuid());
  const { sent, sweep } = sweepBesideOutbox(true, newUuid());
  await expectNextSweep(id, { sweep, seconds: 5 });
  expect(sent).toEqual([]);
});

test('an attempt whose outcome a workflow is recording is not sent again', async () => {
  const webhookId = newUuid();
  const [handedOver, lost, givenBack] = [await unsent(webhookId), await unsent(webhookId), await unsent(webhookId)];
  await handTo(world.db, givenBack, nobody);
  const rowOf = async (id: string) => {
    const [row] = await world.db<DeliveryWorkRow[]>`select ${workColumns(world.db)} from deliveries where id = ${id}`;
    if (!row) throw new Error('it is gone');
    return row;
  };
  const client = new Client({ connection: temporal.nativeConnection });
  const mode = { eager: false, settled: true };
  await startOnce(client, asItem(deliveryWork, await rowOf(handedOver)), mode);
  const { sent, sweep } = sweepBesideOutbox(true, webhookId);
  await sweep();
  expect(sent.toSorted()).toEqual([lost, givenBack].toSorted());
});

test('deliveries of a process that has stopped reporting are overdue at once, others are not', async () => {
  const { db } = world;
  const [gone, alive] = [newUuid(), newUuid()];
  await lastReported(db, gone, { secondsAgo: 20 });
  await lastReported(db, alive, { secondsAgo: 10 });
  const webhookId = newUuid();
  const sentBy = async (sender: string, status: 'pending' | 'retrying') => {
    const id = await aDelivery(db, { accountId: world.accountId, webhookId, status });
    await handTo(db, id, sender);
    return id;
  };
  const [unsentOfGone, failedOfGone] = [await sentBy(gone, 'pending'), await sentBy(gone, 'retrying')];
  const ofAlive = [await sentBy(alive, 'pending'), await sentBy(alive, 'retrying')];
  const { sent, sweep } = sweepBesideOutbox(true, webhookId);
  expect(await sweep()).toBe(1);
  expect(sent).toEqual([unsentOfGone]);
  expect(await secondsAway(failedOfGone)).toBeLessThan(25);
  for (const id of ofAlive) expect(await secondsAway(id)).toBeGreaterThan(50);
  for (const id of [gone, alive]) await deleteProcess(db, id);
});

test('each webhook of an account gets one claim before any gets its second', async () => {
  const [flooded, modest] = [newUuid(), newUuid()];
  await overdue(2 * claimLimit, flooded);
  await overdue(3, modest);
  const claimed = await claimOverdue(world.db, works);
  const webhooks = deliveriesOf(claimed).map(({ webhookId }) => webhookId);
  expect(webhooks).toHaveLength(claimLimit);
  expect(webhooks.filter((id) => id === modest)).toHaveLength(3);
});

test('an account’s few overdue deliveries are claimed beside another’s many older ones', async () => {
  const few = newUuid();
  await overdue(2 * claimLimit);
  const expected = await Promise.all(
    [1, 2, 3].map(() => aDelivery(world.db, { accountId: few, webhookId: newUuid(), status: 'pending' })),
  );
  await makeOverdue(world.db, expected);
  const claims: string[][] = [];
  while (claims.length < 3) claims.push((await claimOverdue(world.db, works)).map(({ row }) => row.id));
  expect(claims[0]).toEqual(expect.arrayContaining(expected));
  expect(claims.map(({ length }) => length)).toEqual([claimLimit, claimLimit, 3]);
  expect(new Set(claims.flat()).size).toBe(2 * claimLimit + 3);
});

test('a delivery whose workflow runs is left alone, and swept less and less often', async () => {
  const [id = ''] = await overdue(1);
  const sweep = sweepRefused(() => false);
  await expectNextSweep(id, { sweep: async () => expect(await sweep()).toBe(1), seconds: 20 });
  for (const seconds of [20, 40, 80, 160, 320, 600, 600]) {
    await makeOverdue(world.db, id);
    await expectNextSweep(id, { sweep: async () => expect(await sweep()).toBe(0), seconds });
  }
  expect((await world.delivery(id)).resumes).toBe(0);
});

test('workflows that Temporal is silent about hold up no other start, and are swept again', async () => {
  const silent = await overdue(64);
  const other = await aDelivery(world.db, { accountId: newUuid(), webhookId: newUuid(), status: 'retrying' });
  await makeOverdue(world.db, other);
  const started = Promise.withResolvers<void>();
  const client = await clientOfSilence({
    interceptors: {
      workflow: [
        {
          startWithDetails: async ({ options: { workflowId }, workflowType }) => {
            if (silent.some((id) => workflowId.includes(showId('delivery', id)))) {
              throw new WorkflowExecutionAlreadyStartedError('there', workflowId, workflowType);
            }
            started.resolve();
            return { runId: newUuid(), eagerlyStarted: false };
          },
        },
      ],
    },
  });
  const log = pino({ level: 'silent' });
  const [db, starts] = [world.db, createStarts()];
  const sweep = createSweep({ works, db, client: () => client, temporalAnswers: async () => true, starts, log });
  let ended = false;
  const sweeping = sweep().finally(() => {
    ended = true;
  });
  await started.promise;
  // Checks hold no slot of starts, so the next delivery starts as well.
  await starts.take({ accountId: newUuid(), key: 'next' }, async () => {});
  expect(ended).toBe(false);
  expect(await sweeping).toBe(1);
  expect((await world.delivery(other)).resumes).toBe(0);
  for (const id of silent) expect(await secondsAway(id)).toBeLessThan(6);
});

test('processes that sweep at the same moment claim different deliveries', async () => {
  await overdue(2 * claimLimit);
  const claims = await world.db.begin(async (sql) => {
    const first = await claimOverdue(sql, works);
    return { first, second: await claimOverdue(world.db, works) };
  });
  const ids = [...claims.first, ...claims.second].map(({ row }) => row.id);
  expect(new Set(ids).size).toBe(2 * claimLimit);
});

test('one of several processes that find the same workflow lost counts its successor', async () => {
  await overdue(1);
  const [item] = await claimOverdue(world.db, works);
  if (!item) throw new TypeError('nothing was claimed');
  const counted = await Promise.all(Array.from({ length: 5 }, () => countResume(world.db, item)));
  expect(counted.filter(Boolean)).toEqual([{ ...item, row: { ...item.row, resumes: 1 } }]);
});

test('a workflow that is lost after its round has ended gets no successor', async () => {
  const { db, accountId } = world;
  const webhookId = await world.aWebhook({ url: 'https://receiver.example/' });
  const id = await aDelivery(db, { accountId, webhookId, status: 'retrying' });
  await makeOverdue(db, id);
  const [item] = await claimOverdue(db, works);
  if (!item) throw new TypeError('nothing was claimed');
  await endRound(db, { deliveryId: id, round: 1 }, 'failed');
  await world.transact((tx) => replayDelivery(tx, { accountId, variants: ['api'] }, id));
  expect(await countResume(db, item)).toBeUndefined();
  expect(await world.delivery(id)).toMatchObject({ status: 'pending', round: 2, resumes: 0 });
});

test('a claim leaves out rows that another process has claimed in the meantime', async () => {
  const { db } = world;
  const ids = await overdue(3);
  const gate = 7_205_799;
  const { late } = await db.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${gate})`;
    // It has begun before the others' claim, and comes to the rows when it is let through the gate.
    const late = db<{ id: string | null }[]>`
      select claimed.id from (select pg_advisory_xact_lock_shared(${gate}) is null as passed offset 0) as gate
      left join (${selectFairly(db, claimLimit)}) as claimed on true`.execute();
    await untilSomebodyWaits(db);
    expect(await claimOverdue(db, works)).toHaveLength(ids.length);
    return { late };
  });
  expect([...(await late)]).toEqual([{ id: null }]);
});
