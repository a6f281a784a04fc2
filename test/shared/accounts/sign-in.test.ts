import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normalizeEmail } from '../../../src/shared/accounts/email.ts';
import { findCredentials, forgetNetworks, rememberNetwork } from '../../../src/shared/accounts/sign-in.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { ageNetworks } from '../../helpers/states/accounts.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const anOwner = (email?: string) => anAccount({ db: database.db, secrets }, { ...(email !== undefined && { email }) });

const networksOf = async (userId: string): Promise<string[]> => {
  const rows = await database.db<{ network: string }[]>`
    select network from user_networks where user_id = ${userId} order by last_used_at, network`;
  return rows.map(({ network }) => network);
};

test('an e-mail address has one normal form, here and in PostgreSQL', async () => {
  expect(normalizeEmail('Ada.İ\u212A@Example.COM')).toBe('ada.İ\u212A@example.com');
  const anything = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed());
  const texts = fc.sample(anything, 1_000);
  const rows = await database.db<{ normal: string }[]>`
    select lower(text collate "C") as normal from unnest(${texts}::text[]) with ordinality as given (text, n) order by n`;
  expect(rows.map(({ normal }) => normal)).toEqual(texts.map(normalizeEmail));
});

test('a user is found in any letter case of ASCII, and by no letter that only looks like one', async () => {
  const { userId } = await anOwner('Nikita@Example.com');
  const find = async (email: string) => (await findCredentials(database.db, { email, network: '' }))?.user.userId;
  for (const email of ['nikita@example.com', 'NIKITA@EXAMPLE.COM']) expect(await find(email)).toBe(userId);
  for (const email of [
    'nİkita@example.com',
    'ni\u212Aita@example.com',
    'nıkita@example.com',
    'nikita@examp\u2113e.com',
  ])
    expect(await find(email)).toBeUndefined();
});

test('what a lookup compares is an index, not every user', async () => {
  const plan = await database.db.begin(async (sql) => {
    await sql`set local enable_seqscan = off`;
    return sql`explain select 1 from users where lower(email collate "C") = ${'ada@example.com'}`;
  });
  expect(JSON.stringify(plan)).toContain('users_email_normal');
});

test('two users of before whom only a Turkish locale told apart both stay, each found by its own spelling', async () => {
  const turkish = await createTestDatabase();
  try {
    const { db } = turkish;
    await db`drop index users_email`;
    await db`drop index users_email_normal`;
    await db`drop table user_networks`;
    const [lower, upper] = [
      await anAccount({ db, secrets }, { email: 'info@example.com' }),
      await anAccount({ db, secrets }),
    ];
    await db`update users set email = 'INFO@example.com' where id = ${upper.userId}`;
    await db.unsafe(readFileSync(new URL('../../../migrations/0014_sign_in.sql', import.meta.url), 'utf8'));
    const find = async (email: string) => (await findCredentials(db, { email, network: '' }))?.user.userId;
    expect(await find('info@example.com')).toBe(lower.userId);
    expect(await find('INFO@example.com')).toBe(upper.userId);
  } finally {
    await turkish.drop();
  }
});

test('a network is known to its user alone, from the first sign-in until it was not used for 90 days', async () => {
  const [owner, other] = [await anOwner(), await anOwner()];
  const network = '203.0.113.7';
  const known = async ({ email }: { email: string }) =>
    (await findCredentials(database.db, { email, network }))?.isKnownNetwork;
  expect(await known(owner)).toBe(false);
  await rememberNetwork(database.db, { userId: owner.userId, network });
  expect([await known(owner), await known(other)]).toEqual([true, false]);

  await ageNetworks(database.db, owner.userId, { days: 91 });
  expect(await known(owner)).toBe(false);
  await rememberNetwork(database.db, { userId: owner.userId, network });
  expect(await known(owner)).toBe(true);
  await ageNetworks(database.db, owner.userId, { days: 91 });
  await forgetNetworks(database.db);
  expect(await networksOf(owner.userId)).toEqual([]);
});

test('of the networks of a user the latest 20 are known', async () => {
  const { userId } = await anOwner();
  for (let index = 0; index < 25; index += 1)
    await rememberNetwork(database.db, { userId, network: `203.0.113.${100 + index}` });
  await rememberNetwork(database.db, { userId, network: '203.0.113.110' });
  const kept = await networksOf(userId);
  expect(kept).toHaveLength(20);
  expect(kept.at(-1)).toBe('203.0.113.110');
  expect(kept).not.toContain('203.0.113.104');
});
