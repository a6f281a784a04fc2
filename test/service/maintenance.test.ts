import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startMaintenance } from '../../src/service/maintenance.ts';
import { setPlan } from '../../src/shared/accounts/queries.ts';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { findHandover } from '../../src/shared/handovers/queries.ts';
import { requestHandover } from '../../src/shared/handovers/request.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { describeProcess } from '../../src/service/own-process.ts';
import { createFileStore } from '../../src/shared/media/file-store.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { deleteProcess, listProcesses, reportProcess } from '../../src/shared/platform/processes/processes.ts';
import { retentionSchedule } from '../../src/shared/retention/schedule.ts';
import { anAccount, insertWebhook } from '../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { letHandoversLapse } from '../helpers/states/handovers.ts';
import { ageProcesses } from '../helpers/states/processes.ts';
import { aPastEvent, setRolledUpUntil } from '../helpers/states/statistics.ts';
import { toldTransact } from '../helpers/told-topics.ts';

let database: TestDatabase;
let temporal: DevServer;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
});

afterAll(async () => {
  await Promise.all([database.drop(), temporal.stop()]);
});

const store = createFileStore(tempFolder('media'));

const aProcess = () => describeProcess(parseConfig({}), { api: true, queues: [] });

test('the schedules are registered while a process serves, not only when it connects', async () => {
  const maintenance = startMaintenance({
    db: database.db,
    transact: toldTransact(database.db),
    process: aProcess(),
    sweep: async () => 0,
    store,
    temporal: () => temporal.client,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(maintenance.stop);
  const isThere = () =>
    temporal.client.schedule
      .getHandle(retentionSchedule)
      .describe()
      .then(() => true)
      .catch(() => false);
  expect(await vi.waitUntil(isThere, { timeout: 60_000 })).toBe(true);
});

test('one process logs, once, that deliveries wait for a replay whose plan came back', async () => {
  const deps = { db: database.db, secrets: createSecrets(randomBytes(32)) };
  const transact = toldTransact(deps.db);
  const { accountId } = await anAccount(deps);
  await insertWebhook(deps, { accountId, url: 'https://receiver.example/' });
  await transact((tx) => setPlan(tx, accountId, 'free'));
  await transact((tx) => createContact(tx, accountId, {}));
  await transact((tx) => setPlan(tx, accountId, 'pro'));
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  const process = {
    db: deps.db,
    transact,
    process: aProcess(),
    sweep: async () => 0,
    store,
    temporal: () => undefined,
    log,
  };
  const toldOf = () => lines.filter((line) => line.includes('plan.back'));
  const tell = async () => {
    const both = [startMaintenance(process), startMaintenance(process)];
    const [row] = await vi.waitUntil(
      async () => {
        const told = await deps.db`select from accounts where id = ${accountId} and plan_told_at = plan_changed_at`;
        return told.length > 0 && [told];
      },
      { timeout: 60_000 },
    );
    await Promise.all(both.map((maintenance) => maintenance.stop()));
    return row;
  };
  await tell();
  await tell();
  expect(toldOf().map((line) => JSON.parse(line))).toEqual([
    { level: 30, account_id: showId('account', accountId), parked: 1, msg: 'plan.back' },
  ]);
});

test('a process keeps its own row, and what killed ones have left is deleted', async () => {
  const { db } = database;
  const own = aProcess();
  const killed = { ...own, id: newUuid() };
  await reportProcess(db, killed);
  await ageProcesses(db, { seconds: 7_200 });
  expect(await listProcesses(db)).toEqual([]);
  const log = pino({ level: 'silent' });
  const maintenance = startMaintenance({
    db,
    transact: toldTransact(database.db),
    process: own,
    sweep: async () => 0,
    store,
    temporal: () => undefined,
    log,
  });
  onTestFinished(maintenance.stop);
  const ids = async () => (await db<{ id: string }[]>`select id from processes`).map(({ id }) => id);
  await vi.waitFor(async () => expect(await ids()).toEqual([own.id]), 60_000);
  expect(await listProcesses(db)).toMatchObject([own]);
  await maintenance.stop();
  await deleteProcess(db, own.id);
  expect(await ids()).toEqual([]);
});

test('a handover whose time is over expires while a process serves', async () => {
  const deps = { db: database.db, secrets: createSecrets(randomBytes(32)) };
  const transact = toldTransact(deps.db);
  const { accountId } = await anAccount(deps);
  const { id } = await transact(async (tx) => {
    const contact = await createContact(tx, accountId, {});
    const asked = { contact_id: contact.id, reason: 'Help' };
    return requestHandover(tx, { accountId, asked, requestedBy: 'api' });
  });
  await letHandoversLapse(deps.db, accountId);
  const log = pino({ level: 'silent' });
  const maintenance = startMaintenance({
    db: deps.db,
    transact,
    process: aProcess(),
    sweep: async () => 0,
    store,
    temporal: () => undefined,
    log,
  });
  onTestFinished(maintenance.stop);
  await vi.waitFor(
    async () => expect(await findHandover(deps.db, accountId, id)).toMatchObject({ status: 'expired' }),
    60_000,
  );
});

test('an hour that is over is rolled up for the statistics while a process serves', async () => {
  const { db } = database;
  const accountId = newUuid();
  const at = new Date(Date.now() - 3 * 3_600_000);
  await aPastEvent(db, { accountId, at });
  await setRolledUpUntil(db, new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000));
  const log = pino({ level: 'silent' });
  const transact = toldTransact(db);
  const parts = { db, transact, process: aProcess(), sweep: async () => 0, store, temporal: () => undefined, log };
  const maintenance = startMaintenance(parts);
  onTestFinished(maintenance.stop);
  const counted = () => db`select from statistics_hours where account_id = ${accountId}`;
  await expect.poll(async () => (await counted()).count, { timeout: 60_000 }).toBeGreaterThan(0);
});
