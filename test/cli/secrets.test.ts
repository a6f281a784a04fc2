import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { anAccount, insertWebhook } from '../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { parley, parleyHere } from './parley.ts';
import { putSealedSecret, removeWebhook } from '../helpers/states/webhooks.ts';

describe('secrets, with the keys in the environment', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await anAccount({ db: database.db, secrets: createSecrets(old) });
  });
  afterAll(() => database.drop());

  const run = (keys: { MASTER_KEY: Buffer; MASTER_KEY_PREVIOUS?: Buffer }, ...args: string[]) => {
    const given = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.toString('base64')]));
    return parleyHere({ DATABASE_URL: database.target, ...given }, 'secrets', ...args);
  };

  test('rotate seals all with MASTER_KEY; status fails before it, and is well after it without the previous key', async () => {
    const rotating = { MASTER_KEY: next, MASTER_KEY_PREVIOUS: old };
    const before = await run(rotating, 'status', '--json');
    expect(before.code).toBe(1);
    expect(before.json()).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{8}$/),
      sealed_with: { current: 0, previous: 1, unknown: 0 },
    });
    const tooEarly = await run({ MASTER_KEY: next }, 'rotate', '--json');
    expect(tooEarly.code).toBe(1);
    expect(tooEarly.json()).toMatchObject({ resealed: 0, sealed_with: { unknown: 1 } });
    const rotated = await run(rotating, 'rotate', '--json');
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.json()).toMatchObject({
      new_key: false,
      resealed: 1,
      failed: [],
      sealed_with: { current: 1, previous: 0, unknown: 0 },
    });
    expect(await run({ MASTER_KEY: next }, 'status')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^accounts +1 +0 +0$/m),
    });
  });

  test('rotate names a value that was damaged, seals the others, and fails', async () => {
    const { db } = database;
    const [{ accountId } = { accountId: '' }] = await db<
      { accountId: string }[]
    >`select id as account_id from accounts`;
    const secrets = createSecrets(next);
    const webhookId = await insertWebhook({ db, secrets }, { accountId, url: 'https://example.com' });
    await putSealedSecret(db, webhookId, secrets.seal('of another', { accountId, rowId: 'another' }));
    const another = { MASTER_KEY: randomBytes(32), MASTER_KEY_PREVIOUS: next };
    const rotated = await run(another, 'rotate', '--json');
    const damaged = { table: 'webhooks', account: showId('account', accountId), id: showId('webhook', webhookId) };
    expect(rotated).toMatchObject({ code: 1, stderr: '' });
    expect(rotated.json()).toMatchObject({ resealed: 1, failed: [damaged], sealed_with: { current: 1, previous: 1 } });
    expect(await run(another, 'rotate')).toMatchObject({ code: 1, stdout: expect.stringContaining(damaged.id) });
    await removeWebhook(db, webhookId);
  });

  test('forget removes nothing from an environment', async () => {
    expect(await run({ MASTER_KEY: next }, 'forget')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MASTER_KEY_PREVIOUS'),
    });
  });
});

test('secrets rotate of an embedded installation makes a new key, and keeps the old one until it is told to forget it', async () => {
  const folder = tempFolder('cli');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { DATA_DIR: join(folder, 'data') };
  const key = () => readFileSync(join(env.DATA_DIR, 'master.key'), 'utf8');
  await parley(env, 'accounts', 'create', '--name', 'Acme', '--email', 'a@example.com');
  const before = key();
  const rotated = await parley(env, 'secrets', 'rotate');
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(rotated.stdout).toMatch(/^A new key is in use\. Resealed: 1\.$/m);
  expect(key()).not.toBe(before);
  expect(readFileSync(join(env.DATA_DIR, 'master.key.previous'), 'utf8')).toBe(before);
  expect(await parley(env, 'secrets', 'forget')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ten minutes'),
  });
  expect(rotated.stdout + rotated.stderr).not.toContain(key().trim());
});
