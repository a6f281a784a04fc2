import { afterAll, beforeAll, expect, test } from 'vitest';
import { wakeByChangedClocks, wakeRunsByClock } from '../../../../src/shared/runs/life/wake-by-clock.ts';
import { updateAccount } from '../../../../src/shared/accounts/queries.ts';
import { updateContact } from '../../../../src/shared/contacts/queries.ts';
import { anAccount } from '../../../helpers/accounts.ts';
import { untilSomebodyWaits } from '../../../helpers/database.ts';
import { startApi, type TestAccount, type TestApi } from '../../../helpers/api.ts';
import { startDeliveryWorld } from '../../../helpers/delivery-world.ts';
import { withFlows, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { untold } from '../../../helpers/untold.ts';

let api: TestApi;
let account: TestAccount;
let world: FlowWorld;
beforeAll(async () => {
  const deliveries = await startDeliveryWorld();
  api = await startApi({ world: deliveries });
  account = await api.createAccount();
  world = await withFlows({ ...deliveries, accountId: account.accountId });
});
afterAll(async () => {
  await api.stop();
  await world.stop();
});

const tomorrow = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);

/** A run that waits for nine in the morning by the contact's clock. */
const waitingFor9 = async (contactId: string) => {
  const { db, accountId } = world;
  const run = await world.enrol(
    contactId,
    await aFlow(db, accountId, { blocks: [{ id: 'wait', type: 'delay', until: `${tomorrow}T09:00` }] }),
  );
  await world.advance(run);
  return run;
};

const wakes = async (run: string) => (await world.run(run)).wakesAt?.toISOString().slice(11, 16);
const stateOf = async (run: string) => {
  const [row] = await world.db<{ woken: boolean; due: boolean }[]>`
    select woken, sweep_at < clock_timestamp() + interval '1 minute' as due from runs where id = ${run}`;
  return row;
};
const asleep = { woken: false, due: false };

test("a time zone that a flow sets wakes the contact's other runs, which then wait by it", async () => {
  const { db, accountId } = world;
  const [{ contactId }, other] = [await world.says('ada', 'hello'), await world.says('alan', 'hello')];
  const [run, stranger] = [await waitingFor9(contactId), await waitingFor9(other.contactId)];
  expect([await wakes(run), await stateOf(run)]).toEqual(['09:00', asleep]);
  const blocks = [{ id: 'set', type: 'set_field', field: 'time_zone', value: 'Asia/Tokyo' }];
  await world.advance(await world.enrol(contactId, await aFlow(db, accountId, { blocks })));
  expect((await stateOf(run))?.woken).toBe(true);
  expect(await stateOf(stranger)).toEqual(asleep);
  await world.advance(run);
  expect(await wakes(run)).toBe('00:00');
});

test("a changed zone of the account wakes runs that wait by it, not those on the contact's clock", async () => {
  const { accountId } = world;
  const [{ contactId }, own] = [await world.says('grace', 'hello'), await world.says('edsger', 'hello')];
  await world.transact((tx) =>
    updateContact(tx, { accountId, id: own.contactId, changes: { time_zone: 'Europe/Amsterdam' } }),
  );
  const [run, onItsOwn] = [await waitingFor9(contactId), await waitingFor9(own.contactId)];
  const changed = await api.request('PATCH', '/v1/account', {
    key: account.apiKey,
    body: { time_zone: 'Asia/Tokyo' },
  });
  expect(changed.status).toBe(200);
  expect([await stateOf(run), await stateOf(onItsOwn)]).toEqual([{ woken: false, due: true }, asleep]);
  await world.advance(run);
  expect(await wakes(run)).toBe('00:00');
});

test("a run that begins to wait while its account's zone changes waits by the new one at once", async () => {
  const { db, accountId } = world;
  const { contactId } = await world.says('barbara', 'hello');
  const blocks = [{ id: 'wait', type: 'delay', until: `${tomorrow}T09:00` }];
  const run = await world.enrol(contactId, await aFlow(db, accountId, { blocks }));
  let advancing: Promise<unknown> = Promise.resolve();
  await db.begin(async (sql) => {
    await updateAccount(untold(sql), accountId, { time_zone: 'America/Lima' });
    advancing = world.advance(run);
    await untilSomebodyWaits(db);
  });
  await advancing;
  expect([await wakes(run), await stateOf(run)]).toEqual(['14:00', asleep]);
});

/** Runs of as many contacts, which wait by the account's clock. */
const manyRuns = async (name: string, count: number) => {
  const { db, accountId } = world;
  const flow = await aFlow(db, accountId, { blocks: [{ id: 'wait', type: 'delay', until: `${tomorrow}T09:00` }] });
  const runs: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const run = await world.enrol((await world.says(`${name}-${index}`, 'hello')).contactId, flow);
    await world.advance(run);
    runs.push(run);
  }
  return { flow, runs };
};
const setZone = (time_zone: string) => updateAccount(untold(world.db), world.accountId, { time_zone });
const areDue = async (runs: readonly string[]) =>
  (await Promise.all(runs.map(stateOf))).filter((state) => state?.due).length;

test("runs that wait by their account's clock are woken some at a time, none left out", async () => {
  const { db, accountId } = world;
  const { flow, runs } = await manyRuns('many', 7);
  const [first = '', last = ''] = [runs[0], runs.at(-1)];
  const wakeAll = async (atOnce: number): Promise<void> => {
    while (await world.transact((tx) => wakeRunsByClock(tx, accountId, { atOnce })));
  };
  await setZone('Europe/Berlin');
  let waking: Promise<unknown> = Promise.resolve();
  await db.begin(async (sql) => {
    // A pass over a run holds up its own batch alone: those before it are woken.
    await sql`select from runs where id = ${last} for update`;
    waking = wakeAll(2);
    await untilSomebodyWaits(db);
    expect([(await stateOf(first))?.due, (await stateOf(last))?.due]).toEqual([true, false]);
  });
  await waking;
  expect(await Promise.all(runs.map(stateOf))).toEqual(runs.map(() => ({ woken: false, due: true })));
  await setZone('Europe/Rome');
  await wakeAll(1);
  const [spread] = await db<{ s: number }[]>`
    select extract(epoch from max(sweep_at) - min(sweep_at))::float8 as s from runs where flow_id = ${flow}`;
  expect(spread?.s).toBeGreaterThanOrEqual((runs.length - 1) / 50);
});

test('a process that dies right after a change of the zone leaves no run behind: others wake them, some at a time', async () => {
  const { db, transact } = world;
  await wakeByChangedClocks({ db, transact });
  const { runs } = await manyRuns('left', 3);
  await setZone('Asia/Kolkata');
  expect(await areDue(runs)).toBe(0);
  const isNoted = async () => (await db`select from clock_changes`).count > 0;
  let calls = 0;
  for (; await isNoted(); calls += 1) {
    const before = await areDue(runs);
    await Promise.all([1, 2].map(() => wakeByChangedClocks({ db, transact }, undefined, { atOnce: 1 })));
    expect((await areDue(runs)) - before).toBeLessThanOrEqual(2);
  }
  expect(await areDue(runs)).toBe(3);
  expect(calls).toBeGreaterThan(1);
});

test('an account whose runs cannot be woken now keeps no other account waiting', async () => {
  const { db, transact } = world;
  const { runs } = await manyRuns('behind', 1);
  await setZone('Asia/Tokyo');
  const failing = await Promise.all(Array.from({ length: 3 }, () => anAccount(world)));
  for (const { accountId } of failing) await updateAccount(untold(db), accountId, { time_zone: 'Asia/Tokyo' });
  const failFor = async (accountId: string | null): Promise<void> => {
    await db`drop trigger if exists failing on clock_changes`;
    if (accountId === null) return;
    await db.unsafe(`create or replace function fail_here() returns trigger language plpgsql as $$
      begin if old.account_id <> '${accountId}' then raise exception 'cannot be woken'; end if; return old; end $$`);
    await db`create trigger failing before delete on clock_changes for each row execute function fail_here()`;
  };
  await failFor(world.accountId);
  await expect(wakeByChangedClocks({ db, transact })).rejects.toThrow('cannot be woken');
  expect(await areDue(runs)).toBe(1);
  await failFor(null);
  await wakeByChangedClocks({ db, transact });
  expect((await db`select from clock_changes`).count).toBe(0);
});
