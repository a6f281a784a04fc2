import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { findBinaries } from '../../scripts/binaries.mjs';
import { examineBacklog } from '../../src/cli/doctor/backlog.ts';
import { examineMasterKey } from '../../src/cli/doctor/master-key.ts';
import { examineNode } from '../../src/cli/doctor/settings.ts';
import { describeProcess } from '../../src/service/own-process.ts';
import { setPlan } from '../../src/shared/accounts/queries.ts';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { parseConfig } from '../../src/shared/platform/config.ts';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { type EventTransact, withReactions } from '../../src/shared/facts/tell.ts';
import { createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { tryLockInstance } from '../../src/shared/platform/embedded/instance.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { startTemporal, type EmbeddedTemporal } from '../../src/shared/platform/embedded/temporal.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { deleteProcess, reportProcess } from '../../src/shared/platform/processes/processes.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount, insertWebhook } from '../helpers/accounts.ts';
import { startApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startDeliveryWorld } from '../helpers/delivery-world.ts';
import { aChannel, aTalk, send } from '../helpers/messages.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { parley, parleyHere, type Env } from './parley.ts';
import { emptyLog, makeOverdue } from '../helpers/states/deliveries.ts';
import { activateWebhook, disableWebhook } from '../helpers/states/webhooks.ts';
import { forgetReplays } from '../helpers/states/replays.ts';
import { anEventAt, anOldDelivery, anOldMail } from '../helpers/states/old-log.ts';
import { makeSendingOverdue } from '../helpers/states/sendings.ts';
import { forgetMigrations } from '../helpers/states/processes.ts';
import { farFromMidnight } from '../helpers/midnight.ts';
import { claimOverdue, renewLease } from '../../src/shared/platform/dispatch/overdue.ts';
import { deliveryWork } from '../../src/shared/deliveries/work.ts';
import { endMail } from '../../src/shared/mail/queries.ts';

const masterKey = randomBytes(32);
let folder: string;
let database: TestDatabase;
let temporal: EmbeddedTemporal;
let accountId: string;
let transact: EventTransact;
/** An installation of which only the service itself is not there. */
let env: Env;

beforeAll(async () => {
  folder = tempFolder('doctor');
  database = await createTestDatabase();
  transact = withReactions(
    reactions,
    createTransact(database.db, () => {}),
  );
  const account = { name: 'Acme', email: 'a@example.com', plan: 'pro' } as const;
  ({ accountId } = await createAccount({ sql: database.db, secrets: createSecrets(masterKey) }, account));
  const binary = findBinaries().temporal;
  if (binary === undefined) throw new Error("Temporal's dev server is missing: run node scripts/bootstrap.mjs");
  temporal = await startTemporal({ dataDir: folder, log: () => {}, binary, durable: false });
  env = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.target,
    MASTER_KEY: masterKey.toString('base64'),
    TEMPORAL_ADDRESS: temporal.address,
    BASE_URL: `http://127.0.0.1:${await pickPort()}`,
  };
});
afterAll(async () => {
  await temporal.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const state = z.enum(['ok', 'warning', 'wrong']);
const finding = z.object({ part: z.string(), state, message: z.string(), remedy: z.string().optional() });
const report = z.strictObject({ ok: z.boolean(), findings: z.array(finding) });

/** What the doctor says of one part under these settings. */
const examined = async (part: string, changes: Env = {}): Promise<z.infer<typeof finding>[]> => {
  const { json } = await parleyHere({ ...env, ...changes }, 'doctor', '--json');
  return report.parse(json()).findings.filter((found) => found.part === part);
};

/** What it says of the service while this API is a process of the installation. */
const examinedBeside = async (
  { url, deps: { processId } }: TestApi,
  { process = { BASE_URL: url }, shell = {} }: { process?: Env; shell?: Env } = {},
) => {
  const config = parseConfig({ ...env, ...process });
  await reportProcess(database.db, { ...describeProcess(config, { api: true, queues: [] }), id: processId });
  const found = await examined('Service', shell);
  await deleteProcess(database.db, processId);
  return found;
};

const remedy = expect.stringMatching(/./);
const wrong = (message: RegExp) => ({ state: 'wrong', message: expect.stringMatching(message), remedy });
const warning = (message: RegExp) => ({ state: 'warning', message: expect.stringMatching(message), remedy });
const ok = (message: RegExp) => ({ state: 'ok', message: expect.stringMatching(message) });

describe('doctor', () => {
  test('says for people and for programs which part is wrong and what to do, and exits with 1', async () => {
    const said = await parley(env, 'doctor');
    expect(said).toMatchObject({ code: 1, stderr: '' });
    expect(said.stdout).toMatch(/^ok +PostgreSQL +version 18/m);
    expect(said.stdout).toMatch(/^wrong +Service +.*does not answer.*\n +→ start the service/m);
    const asJson = await parleyHere(env, 'doctor', '--json');
    expect(asJson).toMatchObject({ code: 1, stderr: '' });
    expect(report.parse(asJson.json()).ok).toBe(false);
  });

  test('names queues that nobody polls, search attributes that are missing, and a namespace that is not there', async () => {
    expect(await examined('Temporal')).toMatchObject([ok(/server \d/)]);
    expect(await examined('Workers')).toMatchObject([
      wrong(/queue deliveries for workflow and activity/),
      wrong(/queue mail/),
      wrong(/queue messages/),
      wrong(/queue maintenance/),
      wrong(/queue flows/),
    ]);
    expect(await examined('Search attributes')).toMatchObject([ok(/all registered/)]);
    const connection = await Connection.connect({ address: temporal.address });
    await connection.operatorService.removeSearchAttributes({ namespace: 'default', searchAttributes: ['WebhookId'] });
    await connection.close();
    expect(await examined('Search attributes')).toMatchObject([wrong(/: WebhookId; no workflow can start/)]);
    expect(await examined('Namespace', { TEMPORAL_NAMESPACE: 'elsewhere' })).toMatchObject([
      wrong(/^elsewhere: .*not found/),
    ]);
  });

  test('names a namespace that was deprecated, in which no workflow can start', async () => {
    const connection = await Connection.connect({ address: temporal.address });
    await connection.workflowService.registerNamespace({
      namespace: 'old',
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    await connection.workflowService.deprecateNamespace({ namespace: 'old' });
    await connection.close();
    expect(await examined('Namespace', { TEMPORAL_NAMESPACE: 'old' })).toMatchObject([
      wrong(/^old is deprecated .* nothing is delivered/),
    ]);
  });

  test('names servers that are away, and goes on with the other parts', async () => {
    const away = {
      DATABASE_URL: 'postgres://127.0.0.1:9/x',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      SMTP_URL: 'smtp://127.0.0.1:9',
    };
    const { json } = await parleyHere({ ...env, ...away }, 'doctor', '--json');
    const { findings } = report.parse(json());
    expect(findings.filter((found) => found.state === 'wrong')).toMatchObject([
      { part: 'PostgreSQL', ...wrong(/ECONNREFUSED/) },
      { part: 'Temporal', ...wrong(/127\.0\.0\.1:9 cannot be reached/) },
      { part: 'Service', ...wrong(/ECONNREFUSED/) },
      { part: 'SMTP', ...wrong(/ECONNREFUSED/) },
    ]);
  });

  test('names every wrong setting, and those that open something', async () => {
    expect(await examined('Settings', { PORT: 'x', LOG_LEVEL: 'loud' })).toMatchObject([
      wrong(/^PORT/),
      wrong(/^LOG_LEVEL/),
    ]);
    const open = { EGRESS_ALLOW: '10.0.0.0/8, [fd00::]/8:443', BASE_URL: 'http://parley.example' };
    expect(await examined('EGRESS_ALLOW', open)).toMatchObject([warning(/10\.0\.0\.0\/8, \[fd00::\]\/8:443/)]);
    expect(await examined('BASE_URL', open)).toMatchObject([warning(/http:\/\/parley\.example is plain http/)]);
    expect(await examined('EGRESS_ALLOW')).toMatchObject([ok(/empty/)]);
    expect(examineNode('20.19.0')).toMatchObject(wrong(/20\.19\.0/));
  });

  test('passes on what the service says is down', async () => {
    const api = await startApi({ health: { postgres: 'up', temporal: 'down', worker: 'up', starts: 'up' } });
    expect(await examinedBeside(api)).toMatchObject([wrong(/503: Down: temporal/)]);
    await api.stop();
    const healthy = await startApi();
    expect(await examinedBeside(healthy)).toMatchObject([ok(/is ready$/)]);
    await healthy.stop();
  });

  test('asks the instance of a data folder at the HOST and PORT of its start, though this shell has others', async () => {
    const dataDir = join(folder, 'instance');
    const { lock } = tryLockInstance(dataDir);
    onTestFinished(() => lock?.release());
    const api = await startApi();
    onTestFinished(api.stop);
    const { hostname, port } = new URL(api.url);
    const shell = { DATA_DIR: dataDir, TEMPORAL_ADDRESS: '', BASE_URL: '', HOST: '127.0.0.9', PORT: '9' };
    const found = await examinedBeside(api, { process: { HOST: hostname, PORT: port }, shell });
    expect(found).toMatchObject([ok(new RegExp(`^${api.url} is ready$`))]);
  });

  test('names what others may read in the data folder', async () => {
    const dataDir = join(folder, 'open');
    mkdirSync(join(dataDir, 'mails'), { recursive: true, mode: 0o700 });
    expect(await examined('Data folder', { DATA_DIR: dataDir })).toMatchObject([ok(/^only its owner/)]);
    writeFileSync(join(dataDir, 'master.key'), '');
    writeFileSync(join(dataDir, 'mails', 'a.eml'), '');
    chmodSync(dataDir, 0o755);
    expect(await examined('Data folder', { DATA_DIR: dataDir })).toMatchObject([
      wrong(/read or write in .*open$/),
      wrong(/read .*master\.key$/),
      wrong(/read .*a\.eml$/),
    ]);
  });

  test('says whether the master key opens what is stored', async () => {
    expect(await examined('Master key')).toMatchObject([ok(/opens the 1 stored/)]);
    const other = randomBytes(32).toString('base64');
    expect(await examined('Master key', { MASTER_KEY: other })).toMatchObject([wrong(/does not open 1 of 1/)]);
    const rotating = { MASTER_KEY: other, MASTER_KEY_PREVIOUS: masterKey.toString('base64') };
    expect(await examined('Master key', rotating)).toMatchObject([
      warning(/^1 stored secrets still need the previous/),
    ]);
  });

  test('does not call a master key missing that it cannot look at', async () => {
    const dataDir = join(folder, 'unseen');
    mkdirSync(dataDir);
    // Whoever looks is refused, root included, as another user is by the rights of the folder.
    symlinkSync('master.key', join(dataDir, 'master.key'));
    const config = parseConfig({ DATA_DIR: dataDir });
    await expect(examineMasterKey(database.db, config)).rejects.toThrow('ELOOP');
    rmSync(join(dataDir, 'master.key'));
    expect(await examineMasterKey(database.db, config)).toMatchObject(wrong(/is missing, and stored secrets need it/));
  });

  test('names overdue deliveries and mails that no process handles', async () => {
    const { db } = database;
    expect(await examined('Deliveries')).toMatchObject([ok(/none overdue/)]);
    const pending = { accountId, webhookId: newUuid(), status: 'pending' } as const;
    const inVain = await aDelivery(db, { accountId, webhookId: newUuid(), status: 'retrying' });
    await makeOverdue(db, inVain);
    const claimed = await claimOverdue(db, [deliveryWork]);
    for (let look = 0; look < 7; look += 1) await renewLease(db, claimed);
    const overdue = [await aDelivery(db, pending), await aDelivery(db, pending)];
    await makeOverdue(db, overdue, { seconds: 120 });
    const mailId = await anOldMail(db, { accountId, status: 'pending', daysAgo: 1 });
    expect(await examined('Deliveries')).toMatchObject([wrong(/^2 overdue/), wrong(/^1 make no progress/)]);
    expect(await examined('Mails')).toMatchObject([wrong(/^1 not sent/)]);
    await emptyLog(db);
    await endMail(db, mailId, 'sent');
  });

  test('names conversations whose messages nobody sends', async () => {
    expect(await examined('Messages')).toMatchObject([ok(/none overdue/)]);
    const world = await startDeliveryWorld();
    onTestFinished(world.stop);
    const talk = await aTalk(world, await aChannel(world, 'https://127.0.0.1/'));
    await send(world, talk);
    await makeSendingOverdue(world.db, talk, { seconds: 120 });
    expect(await examineBacklog(world.db, { serving: true })).toContainEqual(
      expect.objectContaining({ part: 'Messages', state: 'wrong', message: expect.stringMatching(/^1 overdue/) }),
    );
  });

  test('names accounts whose plan came back while what it had parked waits, and the command that sends just that', async () => {
    const { db } = database;
    const secrets = createSecrets(masterKey);
    const owner = await anAccount({ db, secrets });
    const ofOwner = { accountId: owner.accountId, url: 'https://receiver.example/' };
    const webhookId = await insertWebhook({ db, secrets }, ofOwner);
    const anEvent = () => transact((tx) => createContact(tx, owner.accountId, {}));
    const changePlan = (plan: 'free' | 'pro') => transact((tx) => setPlan(tx, owner.accountId, plan));
    // Its owner was asked about this one, and has not chosen it.
    await disableWebhook(db, webhookId);
    await anEvent();
    await activateWebhook(db, webhookId);
    await changePlan('free');
    await anEvent();
    expect(await examined('Plans')).toMatchObject([ok(/^no restored plan/)]);
    await changePlan('pro');
    const [found] = await examined('Plans');
    expect(found).toMatchObject(warning(new RegExp(`: 1 of ${showId('account', owner.accountId)}$`)));
    await parleyHere(env, ...(found?.remedy ?? '').split(' ').slice(1));
    expect(await db`select total from replays where account_id = ${owner.accountId}`).toMatchObject([{ total: 1 }]);
    await forgetReplays(db);
    await emptyLog(db);
  });

  test('names partitions that are missing, and rows that lie outside all weeks', async () => {
    const { db } = database;
    expect(await examined('Partitions')).toMatchObject([ok(/for the next \d weeks/)]);
    const [{ name } = { name: '' }] = await db<{ name: string }[]>`
      select to_char(date_trunc('week', now()) + interval '14 days', '"attempts_"YYYYMMDD') as name`;
    await db`drop table ${db(name)}`;
    await anEventAt(db, accountId, new Date('2001-01-01'));
    expect(await examined('Partitions')).toMatchObject([
      wrong(new RegExp(`missing: ${name}`)),
      warning(/events_default/),
    ]);
  });

  test('names weeks of the log that should have been dropped days ago, and what keeps them', async () => {
    await farFromMidnight();
    const { db } = database;
    const [{ sundayDaysAgo, week }] = await db<[{ sundayDaysAgo: number; week: string }]>`
      select current_date - monday::date - 6 as sunday_days_ago, to_char(monday, 'YYYY-MM-DD') as week,
        log_partitions(monday, monday)
      from (select date_trunc('week', now() - interval '120 days') as monday) as weeks`;
    const keeping = (days: number) => examined('Retention', { RETENTION_DAYS: String(sundayDaysAgo - days) });
    const noSchedule = warning(/^no schedule/);
    expect(await keeping(2)).toMatchObject([ok(/no week of the log is overdue/), noSchedule]);
    expect(await keeping(3)).toMatchObject([
      warning(new RegExp(`^1 weeks .* ${week}, .*\\(RETENTION_DAYS \\d+\\)$`)),
      noSchedule,
    ]);
    await anOldDelivery(db, { accountId, daysAgo: 120, status: 'pending', inProgress: true });
    expect(await keeping(3)).toMatchObject([warning(/; 1 rounds in progress keep 1 of them$/), noSchedule]);
    await emptyLog(db);
  });

  test('lets an SMTP server in only if it takes us', async () => {
    const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
    const listening = server.listen(0, '127.0.0.1');
    await new Promise((resolve) => void listening.once('listening', resolve));
    const address = listening.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await examined('SMTP', { SMTP_URL: `smtp://127.0.0.1:${port}` })).toMatchObject([
      ok(/accepts mail from Parley/),
    ]);
    await new Promise<void>((resolve) => server.close(resolve));
    expect(await examined('SMTP')).toMatchObject([warning(/writes mails to files in .*data\/mails and sends none/)]);
  });

  // The last one, for it breaks the database.
  test('names migrations that are not applied', async () => {
    await forgetMigrations(database.db);
    expect(await examined('Migrations')).toMatchObject([wrong(/not applied: 0001_/)]);
  });
});
