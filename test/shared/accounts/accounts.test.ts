import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApiKey, findKeyHolder, listApiKeys, revokeApiKey } from '../../../src/shared/accounts/api-keys.ts';
import { changePassword, findPasswordHash } from '../../../src/shared/accounts/change-password.ts';
import { createAccount } from '../../../src/shared/accounts/create-account.ts';
import { findAccount, listAccounts, setPlan } from '../../../src/shared/accounts/queries.ts';
import { newAccount, type NewAccount } from '../../../src/shared/accounts/schema.ts';
import { createSession, deleteSession, findSessionUser } from '../../../src/shared/accounts/sessions.ts';
import { findCredentials, isRightPassword } from '../../../src/shared/accounts/sign-in.ts';
import { getWebhookSecret, rotateWebhookSecret } from '../../../src/shared/webhooks/account-secret.ts';
import type { EventTransact } from '../../../src/shared/facts/tell.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { insertWebhook } from '../../../src/shared/webhooks/queries.ts';
import { webhooksPerAccount } from '../../../src/shared/webhooks/schema.ts';
import { connectOverheard, createTestDatabase, type TestDatabase, untilSomebodyWaits } from '../../helpers/database.ts';
import { ageKey, expireSessions } from '../../helpers/states/accounts.ts';
import { untold } from '../../helpers/untold.ts';
import { toldTransact } from '../../helpers/told-topics.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));
let database: TestDatabase;
let transact: EventTransact;

beforeAll(async () => {
  database = await createTestDatabase();
  transact = toldTransact(database.db);
});
afterAll(() => database.drop());

const anAccount = (fields: Partial<NewAccount> = {}) =>
  createAccount(
    { sql: database.db, secrets },
    { name: 'Acme', email: `${newUuid()}@example.com`, plan: 'pro', ...fields },
  );

/** Who signs in with this, from anywhere. */
const findUserByPassword = async ({ email, password }: { email: string; password: string }) => {
  const found = await findCredentials(database.db, { email, network: '203.0.113.7' });
  return (await isRightPassword(found, password)) ? found?.user : undefined;
};

const aDashboardWebhook = (accountId: string) =>
  insertWebhook(
    database.db,
    { id: newUuid(), accountId, variant: 'dashboard', url: 'https://example.com/', events: ['*'], secret: null },
    webhooksPerAccount,
  );

test('a new account has an owner who signs in, a key that works and a webhook secret of the form whsec_', async () => {
  const { accountId, userId, email, password, apiKey } = await anAccount({ name: 'Acme', plan: 'business' });
  expect(await findAccount(database.db, accountId)).toMatchObject({ name: 'Acme', plan: 'business' });
  expect(await findUserByPassword({ email, password })).toMatchObject({
    userId,
    role: 'owner',
    accountId,
  });
  expect(await findKeyHolder(database.db, apiKey)).toMatchObject({ accountId, plan: 'business' });
  expect(await getWebhookSecret({ sql: database.db, secrets }, accountId)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('neither password, key nor webhook secret of an account stands in the database in clear', async () => {
  const { accountId, password, apiKey } = await anAccount();
  const secret = await getWebhookSecret({ sql: database.db, secrets }, accountId);
  const rows = await database.db`
    select a.webhook_secret, u::text as user_row, k::text as key_row from accounts a
    join users u on u.account_id = a.id join api_keys k on k.account_id = a.id where a.id = ${accountId}`;
  const stored = rows
    .map(({ webhookSecret, userRow, keyRow }) => `${webhookSecret.toString('latin1')} ${userRow} ${keyRow}`)
    .join();
  for (const clear of [password, apiKey, secret]) expect(stored).not.toContain(clear);
});

test('a second account with the same e-mail address is refused in any letter case, and leaves nothing behind', async () => {
  const { email } = await anAccount();
  const before = await listAccounts(database.db);
  await expect(anAccount({ email: email.toUpperCase() })).rejects.toMatchObject({ code: 'conflict' });
  expect(await listAccounts(database.db)).toEqual(before);
});

test('a wrong form of e-mail, an unknown plan and a short password are refused at once', () => {
  const { error } = newAccount.safeParse({ name: '', email: 'nobody', plan: 'gold', password: 'short' });
  expect(error?.issues.map(({ path }) => path.join('.')).toSorted()).toEqual(['email', 'name', 'password', 'plan']);
});

test('the operator lists accounts with the e-mail address of their owner', async () => {
  const { accountId, email } = await anAccount();
  expect(await listAccounts(database.db)).toContainEqual(
    expect.objectContaining({ id: accountId, email, plan: 'pro' }),
  );
});

test('a key is found by its value until it is revoked, and its use is noted', async () => {
  const { accountId } = await anAccount();
  const { row, value } = await createApiKey(untold(database.db), accountId, 'Second');
  expect(value.startsWith(row.prefix)).toBe(true);
  expect(await findKeyHolder(database.db, value)).toEqual({
    accountId,
    plan: 'pro',
    apiKeyId: row.id,
  });
  const [listed] = await listApiKeys(database.db, accountId, { limit: 10 });
  expect(listed).toMatchObject({ id: row.id, name: 'Second', revokedAt: null });
  expect(listed?.lastUsedAt).toBeInstanceOf(Date);

  expect(await revokeApiKey(untold(database.db), accountId, row.id)).toBe(true);
  expect(await findKeyHolder(database.db, value)).toBeUndefined();
});

test('a request with a busy key costs one statement that writes nothing, and its use is noted once a minute', async () => {
  const { accountId, apiKey } = await anAccount();
  const statements: string[] = [];
  const counted = connectOverheard(database.target, (statement) => statements.push(statement));
  onTestFinished(() => counted.end());
  const find = async () => {
    statements.length = 0;
    await findKeyHolder(counted, apiKey);
    return statements.map((statement) => statement.trim().split(/\s/)[0]);
  };
  await find();
  expect(await find()).toEqual(['select']);
  const [key] = await listApiKeys(database.db, accountId, { limit: 1 });
  await ageKey(database.db, key?.id ?? '', { minutes: 2 });
  expect(await find()).toEqual(['select', 'update']);
  expect(await find()).toEqual(['select']);
});

test("another account's key is not revoked, and a second revocation keeps the time of the first", async () => {
  const [mine, other] = [await anAccount(), await anAccount()];
  const { row } = await createApiKey(untold(database.db), mine.accountId, 'Mine');
  expect(await revokeApiKey(untold(database.db), other.accountId, row.id)).toBe(false);
  await revokeApiKey(untold(database.db), mine.accountId, row.id);
  await ageKey(database.db, row.id, { minutes: 24 * 60 });
  const [first] = await listApiKeys(database.db, mine.accountId, { limit: 1 });
  await revokeApiKey(untold(database.db), mine.accountId, row.id);
  expect(await listApiKeys(database.db, mine.accountId, { limit: 1 })).toEqual([first]);
});

test('a session speaks for its user until it is signed out or expired', async () => {
  const { userId, accountId } = await anAccount();
  const [kept, ended] = [await createSession(database.db, userId), await createSession(database.db, userId)];
  expect(await findSessionUser(database.db, kept)).toMatchObject({ userId, accountId, role: 'owner', plan: 'pro' });

  await deleteSession(database.db, ended);
  expect(await findSessionUser(database.db, ended)).toBeUndefined();
  expect(await findSessionUser(database.db, kept)).toBeDefined();

  await expireSessions(database.db, userId);
  expect(await findSessionUser(database.db, kept)).toBeUndefined();
  await createSession(database.db, userId);
  expect(await database.db`select 1 from sessions where user_id = ${userId}`).toHaveLength(1);
});

test('a password that was changed at the same moment is not changed again by who knew the one before', async () => {
  const { userId } = await anAccount();
  const session = await createSession(database.db, userId);
  const replaces = (await findPasswordHash(database.db, userId)) ?? '';
  const change = (passwordHash: string) => transact((tx) => changePassword(tx, { userId, passwordHash, replaces }));
  expect(await change('the first')).toBe(true);
  const after = await createSession(database.db, userId);
  expect(await change('the second')).toBe(false);
  expect(await findPasswordHash(database.db, userId)).toBe('the first');
  expect(await findSessionUser(database.db, session)).toBeUndefined();
  expect(await findSessionUser(database.db, after)).toBeDefined();
});

test('signing in takes the address in any letter case and no other password', async () => {
  const { email, password, userId } = await anAccount();
  expect(await findUserByPassword({ email: email.toUpperCase(), password })).toMatchObject({ userId });
  expect(await findUserByPassword({ email, password: `${password} ` })).toBeUndefined();
  expect(await findUserByPassword({ email: 'nobody@example.com', password })).toBeUndefined();
});

test('rotating the webhook secret replaces it and begins a new generation of the dashboard webhooks of this account', async () => {
  const [mine, other] = [await anAccount(), await anAccount()];
  const [hook, foreign] = [await aDashboardWebhook(mine.accountId), await aDashboardWebhook(other.accountId)];
  const before = await getWebhookSecret({ sql: database.db, secrets }, mine.accountId);
  const rotated = await transact((tx) => rotateWebhookSecret(tx, { secrets, accountId: mine.accountId }));
  expect(rotated).not.toBe(before);
  expect(await getWebhookSecret({ sql: database.db, secrets }, mine.accountId)).toBe(rotated);
  const generations =
    await database.db`select id, generation from webhooks where id in ${database.db([hook?.id ?? '', foreign?.id ?? ''])} order by id`;
  expect(generations.map(({ generation }) => generation)).toEqual([2, 1]);
});

test('rotating the webhook secret locks the webhooks in the order of their ids, as everybody does', async () => {
  const { accountId } = await anAccount();
  const [first, second] = [newUuid(), newUuid()];
  const webhook = {
    accountId,
    variant: 'dashboard',
    url: 'https://example.com/',
    events: ['*'],
    secret: null,
  } as const;
  // In the table they stand the other way round.
  for (const id of [second, first]) await insertWebhook(database.db, { ...webhook, id }, webhooksPerAccount);
  const { rotating } = await database.db.begin(async (sql) => {
    await sql`select 1 from webhooks where id = ${first} for update`;
    const rotating = transact(async (tx) => {
      // Many webhooks are read in this way.
      await tx.sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
      return rotateWebhookSecret(tx, { secrets, accountId });
    });
    await untilSomebodyWaits(database.db);
    expect(await database.db`select 1 from webhooks where id = ${second} for update nowait`).toHaveLength(1);
    return { rotating };
  });
  await rotating;
});

test('the plan of an account that does not exist is not set', async () => {
  await expect(transact((tx) => setPlan(tx, newUuid(), 'pro'))).rejects.toMatchObject({ code: 'not_found' });
});
