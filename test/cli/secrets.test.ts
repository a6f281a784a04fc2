import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { createSecrets } from '../../src/shared/secrets/seal.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { parley, parleyHere } from './parley.ts';

describe('secrets, with the keys in the environment', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const owner = { name: 'Acme', email: 'a@example.com', plan: 'pro' } as const;
    await createAccount({ sql: database.db, secrets: createSecrets(old) }, owner);
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
      sealed_with: { current: 1, previous: 0, unknown: 0 },
    });
    expect(await run({ MASTER_KEY: next }, 'status')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^accounts +1 +0 +0$/m),
    });
  });

  test('forget removes nothing from an environment', async () => {
    expect(await run({ MASTER_KEY: next }, 'forget')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MASTER_KEY_PREVIOUS'),
    });
  });
});

test('secrets rotate of an embedded installation makes a new key, and keeps the old one until it is told to forget it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { DATA_DIR: join(folder, 'data') };
  const key = () => readFileSync(join(env.DATA_DIR, 'master.key'), 'utf8');
  await parley(env, 'accounts', 'create', '--name', 'Acme', '--email', 'a@example.com');
  const before = key();
  const rotated = await parley(env, 'secrets', 'rotate');
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  expect(rotated.stdout).toMatch(/^A new key is in force\. Sealed anew: 1\.$/m);
  expect(key()).not.toBe(before);
  expect(readFileSync(join(env.DATA_DIR, 'master.key.previous'), 'utf8')).toBe(before);
  expect(await parley(env, 'secrets', 'forget')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ten minutes'),
  });
  expect(rotated.stdout + rotated.stderr).not.toContain(key().trim());
});
