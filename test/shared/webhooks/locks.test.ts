import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setPlan } from '../../../src/shared/accounts/queries.ts';
import type { Plan } from '../../../src/shared/accounts/plans.ts';
import { rotateWebhookSecret } from '../../../src/shared/webhooks/account-secret.ts';
import type { Sql } from '../../../src/shared/platform/db/connect.ts';
import { replayDelivery } from '../../../src/shared/deliveries/replay.ts';
import type { EventTransaction } from '../../../src/shared/facts/tell.ts';
import { reactions } from '../../../src/shared/reactions.ts';
import { RequestError } from '../../../src/shared/errors.ts';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { lockPlan } from '../../../src/shared/accounts/plan-lock.ts';
import { lockWebhook, shareWebhooks } from '../../../src/shared/webhooks/locks.ts';
import { deleteWebhook } from '../../../src/shared/deliveries/delete-webhook.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';
import { aDelivery } from '../../helpers/deliveries.ts';
import { startApi, type TestApi } from '../../helpers/api.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { transactOn } from '../../helpers/transact-on.ts';
import { activateWebhook, disableWebhook, retireWebhooks } from '../../helpers/states/webhooks.ts';
import { changed } from '../../../src/shared/facts/changed.ts';

let world: DeliveryWorld;
let api: TestApi;
let receiver: Receiver;

beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld(), startReceiver()]);
  api = await startApi({ world });
});

beforeEach(async () => {
  await changePlan('pro');
  await retireWebhooks(world.db);
});

afterAll(async () => {
  await api.stop();
  await Promise.all([world.stop(), receiver.close()]);
});

const clients = 8;

/** Events of so many clients at once, each in a transaction of some ms, one after the other until `stop`. */
const emitting = () => {
  const { accountId, contactId } = world;
  const stopping = new AbortController();
  let committed = 0;
  const emitter = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await world.transact(async (tx) => {
        await tx.tell({ accountId, contactId, name: 'new_contact', occurredAt: new Date() });
        await tx.sql`select pg_sleep(0.02)`;
      });
      committed += 1;
    }
  };
  const emitters = Array.from({ length: clients }, emitter);
  return {
    committed: () => committed,
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(emitters);
    },
  };
};

const changePlan = (plan: Plan) => world.transact((tx) => setPlan(tx, world.accountId, plan));

const disable = (id: string) => world.db.begin((sql) => disableWebhook(sql, id));

const enable = async ({ sql, tell }: EventTransaction, id: string): Promise<void> => {
  await activateWebhook(sql, id);
  await tell(changed(world.accountId, 'webhooks'));
};

const remove = (id: string) => deleteWebhook(api.deps, { accountId: world.accountId, variants: ['api'] }, id);

const countOf = async (id: string, status: string): Promise<number> =>
  (await world.db`select from deliveries where webhook_id = ${id} and status = ${status}`).count;

/** Resolves when the number of such deliveries has grown by one from each client. */
const untilEachHasAdded = async (id: string, status: string): Promise<void> => {
  const before = await countOf(id, status);
  await expect.poll(() => countOf(id, status), { timeout: 60_000, interval: 10 }).toBeGreaterThan(before + clients);
};

test('a plan change, a re-enabling and a deletion take their turn, however many events are parked beside them', async () => {
  const id = await world.aWebhook({ url: receiver.url('/hook') });
  await disable(id);
  const events = emitting();
  await untilEachHasAdded(id, 'parked');
  /** How many transactions that park went before: told in these, the answer does not depend on the machine. */
  const waitedFor = async (work: () => Promise<unknown>): Promise<number> => {
    const before = events.committed();
    await work();
    return events.committed() - before;
  };
  const plan = await waitedFor(() => changePlan('business'));
  const reEnabling = await waitedFor(() => world.transact((tx) => enable(tx, id)));
  await disable(id);
  await untilEachHasAdded(id, 'parked');
  const deletion = await waitedFor(() => remove(id));
  await events.stop();
  const late = Object.entries({ plan, reEnabling, deletion }).filter(([, count]) => count > 5 * clients);
  expect(late).toEqual([]);
});

/** Parks events of many clients until `release`, and answers what was parked when it was done and when all had ended. */
const parkedAround = async (
  id: string,
  release: (tx: EventTransaction) => Promise<unknown>,
): Promise<[number, number]> => {
  const parked = async (sql: Sql) =>
    (await sql`select from deliveries where webhook_id = ${id} and status = 'parked'`).count;
  const events = emitting();
  await untilEachHasAdded(id, 'parked');
  const then = await world.transact(async (tx) => {
    await release(tx);
    return parked(tx.sql);
  });
  await untilEachHasAdded(id, 'pending');
  await events.stop();
  return [then, await parked(world.db)];
};

test('nothing is parked behind a re-enabling or a plan that comes back, whenever they come', async () => {
  const id = await world.aWebhook({ url: receiver.url('/hook') });
  for (let round = 0; round < 4; round += 1) {
    await disable(id);
    const [then, atLast] = await parkedAround(id, (tx) => enable(tx, id));
    expect(atLast).toBe(then);
    await changePlan('free');
    const [thenOfPlan, atLastOfPlan] = await parkedAround(id, (tx) => setPlan(tx, world.accountId, 'pro'));
    expect(atLastOfPlan).toBe(thenOfPlan);
  }
});

/** Whether `work` waits while the locks that `take` takes are held, and ends when they are given back. */
const waitsFor = async (take: (sql: Sql) => Promise<unknown>, work: () => Promise<unknown>): Promise<boolean> => {
  let ended = false;
  const { done, waited } = await world.db.begin(async (sql) => {
    await take(sql);
    const done = work().finally(() => {
      ended = true;
    });
    await untilSomebodyWaits(world.db);
    return { done, waited: !ended };
  });
  await done;
  return waited;
};

test('whoever changes what may be sent to waits for those who share it', async () => {
  const changes: ((id: string) => Promise<unknown>)[] = [
    (id) => world.transact((tx) => enable(tx, id)),
    () => changePlan('business'),
    remove,
  ];
  for (const change of changes) {
    const id = await world.aWebhook({ url: receiver.url('/hook') });
    await disable(id);
    expect(
      await waitsFor(
        (sql) => shareWebhooks(sql, [id]),
        () => change(id),
      ),
    ).toBe(true);
  }
});

test('whoever parks a delivery or begins a round waits for a change of its webhook or its plan', async () => {
  const { accountId } = world;
  const id = await world.aWebhook({ url: receiver.url('/hook') });
  const works: (() => Promise<unknown>)[] = [
    async () => {
      await disable(id);
      await world.anEvent();
    },
    async () => {
      const deliveryId = await aDelivery(world.db, { accountId, webhookId: id, status: 'pending' });
      const first = { round: 1, kind: 'scheduled', number: 1 } as const;
      await world.attempt({ deliveryId: showId('delivery', deliveryId), ...first });
    },
    async () => {
      const parked = await aDelivery(world.db, { accountId, webhookId: id, status: 'parked' });
      const scope = { accountId, variants: ['api'] } as const;
      await expect(world.transact((tx) => replayDelivery(tx, scope, parked))).rejects.toThrow(/is disabled/);
    },
  ];
  for (const work of works) {
    expect(await waitsFor((sql) => lockWebhook(sql, id), work)).toBe(true);
    expect(await waitsFor((sql) => lockPlan(sql, accountId), work)).toBe(true);
  }
});

test('who has waited for a change decides by what it changed: a round is not begun for a webhook that is disabled by then', async () => {
  const { db, accountId } = world;
  const id = await world.aWebhook({ url: receiver.url('/hook') });
  const failed = await aDelivery(db, { accountId, webhookId: id, status: 'failed' });
  const { replay } = await db.begin(async (sql) => {
    await disableWebhook(sql, id);
    const replay = world.transact((tx) => replayDelivery(tx, { accountId, variants: ['api'] }, failed));
    // It is awaited below.
    replay.catch(() => {});
    await untilSomebodyWaits(db);
    return { replay };
  });
  await expect(replay).rejects.toThrow(/is disabled/);
  expect(await world.delivery(failed)).toMatchObject({ status: 'failed', round: 1 });
});

test('an account is locked before its webhooks, and those in one order', async () => {
  const { db, accountId } = world;
  const ids = [
    await world.aWebhook({ url: receiver.url('/hook') }),
    await world.aWebhook({ url: receiver.url('/hook') }),
  ];
  const [first, second] = await db<{ id: string }[]>`
    select id from unnest(${ids}::uuid[]) as webhook (id) order by hashtext(id::text)`;
  /** How many locks who shares both has already, while it waits for what `take` has taken. */
  const heldBehind = async (take: (sql: Sql) => Promise<void>): Promise<number> => {
    const { sharing, held } = await db.begin(async (sql) => {
      await take(sql);
      const sharing = db.begin((other) => shareWebhooks(other, ids));
      await untilSomebodyWaits(db);
      const [row] = await db<{ held: number }[]>`
        select count(*) filter (where granted)::int as held from pg_locks
        where locktype = 'advisory' and pid in (
          select pid from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database()))`;
      return { sharing, held: row?.held ?? NaN };
    });
    await sharing;
    return held;
  };
  expect([
    await heldBehind((sql) => lockPlan(sql, accountId)),
    await heldBehind((sql) => lockWebhook(sql, first?.id ?? '')),
    await heldBehind((sql) => lockWebhook(sql, second?.id ?? '')),
  ]).toEqual([0, 1, 2]);
});

test('no two transactions wait for each other, whatever is asked for at once', async () => {
  const { accountId, contactId, db, secrets } = world;
  const ids = await Promise.all(
    Array.from({ length: 4 }, (_, number) =>
      world.aWebhook({ url: receiver.url('/hook'), events: [number % 2 === 0 ? 'new_contact' : 'new_message'] }),
    ),
  );
  const message = {
    id: showId('message', newUuid()),
    text: 'hello',
    direction: 'inbound',
    sent_at: new Date().toISOString(),
  } as const;
  const event = { accountId, contactId, occurredAt: new Date() };
  const any = () => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const works: ((tx: EventTransaction) => Promise<unknown>)[] = [
    async (tx) => {
      await tx.tell({ ...event, name: 'new_contact' });
      await tx.tell({ ...event, name: 'new_message', message });
    },
    async (tx) => {
      await tx.tell({ ...event, name: 'new_message', message });
      await tx.tell({ ...event, name: 'new_contact' });
    },
    ({ sql }) => activateWebhook(sql, any()),
    ({ sql }) => disableWebhook(sql, any()),
    (tx) => setPlan(tx, accountId, Math.random() < 0.5 ? 'free' : 'pro'),
    (tx) => rotateWebhookSecret(tx, { secrets, accountId }),
    async (tx) => {
      const [parked] = await tx.sql<{ id: string }[]>`
        select id from deliveries where status = 'parked' order by random() limit 1`;
      if (parked) await replayDelivery(tx, { accountId, variants: ['api'] }, parked.id).catch(refused);
    },
  ];
  const refused = (error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
  };
  const untilMs = performance.now() + 2_000;
  const errors: unknown[] = [];
  const goOn = async (work: (tx: EventTransaction) => Promise<unknown>): Promise<void> => {
    while (performance.now() < untilMs) {
      await db.begin((sql) => transactOn(sql, reactions.toEvents)(work)).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(works.map(goOn));
  expect(errors).toEqual([]);
});
