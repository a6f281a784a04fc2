import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import { insertChannel } from '../../src/shared/messages/channels/queries.ts';
import { assign } from '../../src/shared/messages/conversations/assign.ts';
import { receiveInTransaction } from '../../src/shared/messages/inbound/receive-in-transaction.ts';
import { firstSettings } from '../../src/shared/notifications/schema.ts';
import { setNotificationSettings } from '../../src/shared/notifications/settings.ts';
import { pickPort } from '../../src/shared/platform/embedded/ports.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../helpers/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { holdLock } from '../helpers/locks.ts';
import { startMailServer } from '../helpers/mail-server.ts';
import { startParley } from '../helpers/parley-process.ts';
import { letWaitsPass } from '../helpers/states/conversations.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';
import { toldTransact } from '../helpers/told-topics.ts';

let database: TestDatabase;
let temporal: DevServer;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
});

afterAll(async () => {
  await Promise.all([database.drop(), temporal.stop()]);
});

const masterKey = randomBytes(32);
const patienceMs = 60_000;

/** A conversation that waits for the look of its agent, who wants a mail after ten minutes. Answers their address. */
const aWaitingConversation = async (): Promise<string> => {
  const { db } = database;
  const transact = toldTransact(db);
  const email = `${newUuid()}@acme.example`;
  const { accountId, userId } = await anAccount({ db, secrets: createSecrets(masterKey) }, { email });
  const mine = { sound: false, desktop: false, mail_after_minutes: 10 };
  await transact((tx) => setNotificationSettings(tx, { accountId, userId, settings: { ...firstSettings, mine } }));
  const { id: channelId } = await insertChannel(db, accountId, { type: 'api', name: 'Shop' });
  const incoming = { accountId, channelId, message: anInboundMessage() };
  await transact((tx) => receiveInTransaction(tx, incoming));
  const [conversation] = await db<{ id: string }[]>`select id from conversations where account_id = ${accountId}`;
  await transact((tx) => assign(tx, { accountId, id: conversation?.id ?? '', userId, byUserId: userId }));
  return email;
};

test('SIGKILL while a mail about an unseen message is written: the next process writes it, once', async () => {
  const { db } = database;
  const port = await pickPort();
  const mailServer = await startMailServer(port);
  onTestFinished(() => mailServer.close());
  const start = () =>
    startParley({
      env: {
        DATABASE_URL: database.target,
        TEMPORAL_ADDRESS: temporal.address,
        MASTER_KEY: masterKey.toString('base64'),
        SMTP_URL: `smtp://127.0.0.1:${port}`,
      },
    });
  const first = await start();
  onTestFinished(() => void first.child.kill('SIGKILL'));
  const email = await aWaitingConversation();
  const lock = await holdLock(db, (sql) => sql`lock table mails in exclusive mode`);
  await letWaitsPass(db, 10);
  await lock.hasStopped('insert into mails');
  first.child.kill('SIGKILL');
  await lock.release();
  expect(mailServer.received).toEqual([]);

  const second = await start();
  onTestFinished(async () => void (await second.stop()));
  await vi.waitUntil(() => mailServer.received.length > 0, { timeout: patienceMs });
  const isOver = async () => {
    const [left] = await db`select from unseen_waits union all select from mails where status = 'pending'`;
    return left === undefined;
  };
  await vi.waitUntil(isOver, { timeout: patienceMs });
  expect(mailServer.received.map(({ to }) => to)).toEqual([email]);
});
