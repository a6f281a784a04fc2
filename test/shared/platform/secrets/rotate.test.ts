import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { channelKinds } from '../../../../src/shared/messages/channels/kinds.ts';
import { claimToken } from '../../../../src/shared/credentials/oauth2/rows.ts';
import { createCredential } from '../../../../src/shared/credentials/manage.ts';
import { rotateChannelSecret } from '../../../../src/shared/messages/channels/manage.ts';
import { insertChannel } from '../../../../src/shared/messages/channels/queries.ts';
import { newUuid, showId } from '../../../../src/shared/ids.ts';
import { keyFilesOf } from '../../../../src/shared/platform/secrets/key-files.ts';
import { openSecrets } from '../../../../src/shared/platform/secrets/master-key.ts';
import {
  beginKeyFileRotation,
  forgetPreviousKeyFile,
  resealAll,
  rotatingAlone,
  total,
} from '../../../../src/shared/platform/secrets/rotate.ts';
import { requireRightMasterKey } from '../../../../src/shared/platform/secrets/probe.ts';
import { createSecrets, type Secrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { countSealed } from '../../../../src/shared/platform/secrets/sealed-rows.ts';
import { anAccount, insertWebhook } from '../../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase, untilSomebodyWaits } from '../../../helpers/database.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { startReceiver, verifySignature } from '../../../helpers/receiver.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';
import { removeWebhook, putSealedSecret } from '../../../helpers/states/webhooks.ts';
import { claimKey, keepAnswer } from '../../../../src/shared/platform/idempotency/keys.ts';
import { removeAccounts } from '../../../helpers/states/accounts.ts';
import { updateApiWebhook } from '../../../../src/shared/webhooks/queries.ts';
import { untold } from '../../../helpers/untold.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An account, a webhook with a secret, and a kept answer, all of them new. */
const sealSome = async (secrets: Secrets): Promise<{ accountId: string; webhookId: string; key: string }> => {
  const { db } = database;
  const deps = { db, secrets };
  const { accountId } = await anAccount(deps);
  const key = 'order-1';
  const webhookId = await insertWebhook(deps, { accountId, url: 'https://example.com', secret: 'of the webhook' });
  const kept = { accountId, key, requestHash: Buffer.from('hash') };
  for (const request of [kept, { ...kept, key: 'under way' }]) await claimKey({ sql: db, secrets }, request);
  await keepAnswer({ sql: db, secrets }, kept, { status: 201, body: 'the answer' });
  return { accountId, webhookId, key };
};

const clear = async (): Promise<void> => {
  await removeAccounts(database.db);
};

/** Makes a file look as if it had been written so long ago. */
const age = (file: string, ms: number): void => utimesSync(file, new Date(), new Date(Date.now() - ms));

const aKey = (): string => `${randomBytes(32).toString('base64')}\n`;

const linkAgain = ({ current, previous }: ReturnType<typeof keyFilesOf>): void => {
  rmSync(previous);
  linkSync(current, previous);
};

/** A data folder with a master key of its own; `open` does what a process does at its start. */
const anInstallation = async () => {
  const dataDir = tempFolder('rotate');
  onTestFinished(async () => {
    rmSync(dataDir, { recursive: true });
    await clear();
  });
  const open = () => openSecrets({ masterKey: undefined, masterKeyPrevious: undefined, dataDir });
  return { dataDir, open, files: keyFilesOf(dataDir) };
};

describe('re-sealing with another master key', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];

  test('seals every value anew, each opens to what it was, and a second run finds nothing to do', async () => {
    onTestFinished(clear);
    const { db } = database;
    const before = createSecrets(old);
    const one = await sealSome(before);
    await sealSome(before);
    const [account] = await db<{ sealed: Buffer }[]>`
      select webhook_secret as sealed from accounts where id = ${one.accountId}`;
    const accountSecret = before.open(account?.sealed ?? Buffer.of(), {
      accountId: one.accountId,
      rowId: one.accountId,
    });

    const both = createSecrets(next, old);
    expect(total(await countSealed(db, both.keys))).toEqual({ current: 0, previous: 6, unknown: 0 });
    expect(await resealAll({ sql: db, secrets: both })).toEqual({ count: 6, failed: [] });
    expect(total(await countSealed(db, both.keys))).toEqual({ current: 6, previous: 0, unknown: 0 });
    expect(await resealAll({ sql: db, secrets: both })).toEqual({ count: 0, failed: [] });

    const after = createSecrets(next);
    const rows = await db<{ accountId: string; rowId: string; sealed: Buffer }[]>`
      select id as account_id, id::text as row_id, webhook_secret as sealed from accounts where id = ${one.accountId}
      union all select account_id, id::text, secret from webhooks where account_id = ${one.accountId}
      union all select account_id, key, answer from idempotency_keys where account_id = ${one.accountId} and answer is not null`;
    expect(rows.map(({ sealed, ...place }) => after.open(sealed, place))).toEqual([
      accountSecret,
      'of the webhook',
      'the answer',
    ]);
  });

  test('seals credentials of flows anew, too', async () => {
    onTestFinished(clear);
    const { db } = database;
    const before = createSecrets(old);
    const { accountId } = await sealSome(before);
    const input = { name: 'shop', type: 'bearer', hosts: ['a.example'], token: 'of the shop' } as const;
    const { id } = await createCredential({ ...untold(db), secrets: before }, accountId, {
      ...input,
      hosts: [...input.hosts],
    });
    const both = createSecrets(next, old);
    await resealAll({ sql: db, secrets: both });
    expect(total(await countSealed(db, both.keys))).toEqual({ current: 4, previous: 0, unknown: 0 });
    const [row] = await db<{ secret: Buffer }[]>`select secret from credentials where id = ${id}`;
    expect(createSecrets(next).open(row?.secret ?? Buffer.of(), { accountId, rowId: id })).toBe('of the shop');
  });

  test('seals the client and the tokens of OAuth 2.0 anew, which then renew as before', async () => {
    onTestFinished(clear);
    const { db } = database;
    const before = createSecrets(old);
    const { accountId } = await anAccount({ db, secrets: before });
    const { id } = await createCredential({ ...untold(db), secrets: before }, accountId, {
      name: 'shop',
      type: 'oauth2',
      hosts: ['a.example'],
      grant_type: 'refresh_token',
      token_url: 'https://auth.example/token',
      client_id: 'parley',
      client_secret: 'of the client',
      auth_method: 'basic',
      refresh_token: 'to refresh',
    });
    const both = createSecrets(next, old);
    await resealAll({ sql: db, secrets: both });
    expect(total(await countSealed(db, both.keys))).toMatchObject({ previous: 0, unknown: 0 });
    const key = { accountId, credentialId: id, lease: newUuid() };
    expect(await claimToken(untold(db), createSecrets(next), key)).toMatchObject({
      type: 'mine',
      client: { clientSecret: 'of the client', refreshToken: 'to refresh' },
    });
  });

  test('seals the secrets of channels anew as well, of now and before', async () => {
    onTestFinished(clear);
    const { db } = database;
    const before = createSecrets(old);
    const { accountId } = await anAccount({ db, secrets: before });
    const id = newUuid();
    const sealed = before.seal('of the channel', { accountId, rowId: id });
    await insertChannel(db, accountId, { id, type: 'api', name: 'Shop', secret: sealed });
    await rotateChannelSecret({ ...untold(db), secrets: before, channelKinds }, { accountId, id });
    const both = createSecrets(next, old);
    expect(await resealAll({ sql: db, secrets: both })).toEqual({ count: 3, failed: [] });
    const [row] = await db<{ secret: Buffer; previousSecret: Buffer }[]>`
      select secret, previous_secret from channels where id = ${id}`;
    const after = createSecrets(next);
    for (const kept of [row?.secret, row?.previousSecret])
      expect(after.open(kept ?? Buffer.of(), { accountId, rowId: id })).toMatch(/of the channel$|^whsec_/);
  });

  test('leaves what no given key opens as it is, and goes past it', async () => {
    onTestFinished(clear);
    const { db } = database;
    await sealSome(createSecrets(randomBytes(32)));
    await sealSome(createSecrets(old));
    const both = createSecrets(next, old);
    expect(await resealAll({ sql: db, secrets: both })).toEqual({ count: 3, failed: [] });
    expect(total(await countSealed(db, both.keys))).toEqual({ current: 3, previous: 0, unknown: 3 });
  });

  test('goes past a value that was damaged, and names it', async () => {
    onTestFinished(clear);
    const { db } = database;
    const before = createSecrets(old);
    const { accountId, webhookId } = await sealSome(before);
    await sealSome(before);
    await putSealedSecret(db, webhookId, before.seal('of another row', { accountId, rowId: 'another' }));
    const both = createSecrets(next, old);
    const damaged = { table: 'webhooks', accountId, rowId: webhookId };
    expect(await resealAll({ sql: db, secrets: both })).toEqual({ count: 5, failed: [damaged] });
    expect(total(await countSealed(db, both.keys))).toEqual({ current: 5, previous: 1, unknown: 0 });
  });

  test('never overwrites a secret that is changed at the same time', async () => {
    onTestFinished(clear);
    const { db } = database;
    const both = createSecrets(next, old);
    const { accountId, webhookId } = await sealSome(createSecrets(old));
    const place = { accountId, rowId: webhookId };
    const locked = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const changing = db.begin(async (sql) => {
      const secret = createSecrets(old).seal('changed', place);
      await updateApiWebhook(sql, webhookId, { secret: { secret, previous: null } });
      locked.resolve();
      await commit.promise;
    });
    await locked.promise;
    const resealing = resealAll({ sql: db, secrets: both });
    await untilSomebodyWaits(db);
    commit.resolve();
    await changing;
    await resealing;
    const [row] = await db<{ secret: Buffer }[]>`select secret from webhooks where id = ${webhookId}`;
    expect(createSecrets(next).open(row?.secret ?? Buffer.of(), place)).toBe('changed');
  });

  test('lets a process start with the new key alone only when no account and no webhook needs the old one', async () => {
    onTestFinished(clear);
    const { db } = database;
    const [before, after] = [createSecrets(old), createSecrets(next)];
    const { accountId, webhookId } = await sealSome(before);
    await sealSome(after);
    await expect(requireRightMasterKey(db, createSecrets(next, old))).resolves.toBeUndefined();
    await expect(requireRightMasterKey(db, createSecrets(old, next))).resolves.toBeUndefined();
    const webhook = showId('webhook', webhookId);
    await expect(requireRightMasterKey(db, after)).rejects.toThrow(`does not open the secret of ${webhook}`);
    await removeWebhook(db, webhookId);
    const account = showId('account', accountId);
    await expect(requireRightMasterKey(db, after)).rejects.toThrow(`does not open the secret of ${account}`);
    await resealAll({ sql: db, secrets: createSecrets(next, old) });
    await expect(requireRightMasterKey(db, after)).resolves.toBeUndefined();
  });

  test('is done by one command at a time', async () => {
    const running = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = rotatingAlone(database.db, async () => {
      running.resolve();
      await end.promise;
    });
    await running.promise;
    await expect(rotatingAlone(database.db, async () => {})).rejects.toThrow('by another command');
    end.resolve();
    await first;
    await expect(rotatingAlone(database.db, async () => 'done')).resolves.toBe('done');
  });
});

describe('the key file of an embedded installation', () => {
  test('is replaced beneath a process that runs: it opens the new and the old, and seals with the new', async () => {
    const { open, dataDir, files } = await anInstallation();
    const { db } = database;
    const process = await open();
    const { accountId, webhookId } = await sealSome(process);
    const keyBefore = process.keys.current().id;

    const command = await open();
    expect(await beginKeyFileRotation({ sql: db, secrets: command }, dataDir)).toBe(true);
    expect(await resealAll({ sql: db, secrets: command })).toEqual({ count: 3, failed: [] });
    expect(process.keys.current().id).not.toEqual(keyBefore);
    const [row] = await db<{ secret: Buffer }[]>`select secret from webhooks where id = ${webhookId}`;
    expect(process.open(row?.secret ?? Buffer.of(), { accountId, rowId: webhookId })).toBe('of the webhook');
    for (const file of [files.current, files.previous]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a process that never sealed under it still opens what was sealed before, and what comes after', async () => {
    const { open, dataDir } = await anInstallation();
    const { db } = database;
    const early = await open();
    const place = { accountId: 'a', rowId: 'r' };
    const sealedBefore = early.seal('before', place);
    await beginKeyFileRotation({ sql: db, secrets: await open() }, dataDir);
    const late = await open();
    expect(late.open(sealedBefore, place)).toBe('before');
    expect(early.open(late.seal('after', place), place)).toBe('after');
  });

  test('a rotation that was killed goes on with the same key, and only then a new one can be made', async () => {
    const { open, dataDir, files } = await anInstallation();
    const { db } = database;
    await sealSome(await open());
    expect(await beginKeyFileRotation({ sql: db, secrets: await open() }, dataDir)).toBe(true);
    const key = readFileSync(files.current, 'utf8');
    // Killed here: nothing is sealed anew yet.
    const secrets = await open();
    expect(await beginKeyFileRotation({ sql: db, secrets }, dataDir)).toBe(false);
    expect(readFileSync(files.current, 'utf8')).toBe(key);
    expect(await resealAll({ sql: db, secrets })).toEqual({ count: 3, failed: [] });
    await expect(beginKeyFileRotation({ sql: db, secrets }, dataDir)).rejects.toThrow('ten minutes');
    age(files.current, 601_000);
    expect(await beginKeyFileRotation({ sql: db, secrets }, dataDir)).toBe(true);
    expect(readFileSync(files.previous, 'utf8')).toBe(key);
  });

  test.each<{ step: string; kill: (files: ReturnType<typeof keyFilesOf>) => void }>([
    { step: 'a new key was written', kill: ({ current }) => writeFileSync(`${current}.4711`, aKey(), { mode: 0o600 }) },
    { step: 'the key before the old one was removed', kill: ({ previous }) => rmSync(previous) },
    { step: 'the old one got its second name', kill: linkAgain },
    // As 0.2 did it.
    { step: 'the old one was copied', kill: ({ current, previous }) => copyFileSync(current, previous) },
  ])('a rotation that was killed when $step begins anew, and loses nothing', async ({ kill }) => {
    const { open, dataDir, files } = await anInstallation();
    const { db } = database;
    await sealSome(await open());
    await beginKeyFileRotation({ sql: db, secrets: await open() }, dataDir);
    await resealAll({ sql: db, secrets: await open() });
    const old = (await open()).keys.current().id;
    kill(files);
    age(files.current, 601_000);
    const secrets = await open();
    await expect(requireRightMasterKey(db, secrets)).resolves.toBeUndefined();
    expect(await beginKeyFileRotation({ sql: db, secrets }, dataDir)).toBe(true);
    const after = await open();
    expect(after.keys.current().id).not.toEqual(old);
    expect(after.keys.find(old)).toBeDefined();
    expect(await resealAll({ sql: db, secrets: after })).toEqual({ count: 3, failed: [] });
    await expect(requireRightMasterKey(db, await open())).resolves.toBeUndefined();
  });

  test('the previous one is removed only when nothing is sealed with it, nor can be any more', async () => {
    const { open, dataDir, files } = await anInstallation();
    const { db } = database;
    const secrets = await open();
    await sealSome(secrets);
    const forget = async () => forgetPreviousKeyFile({ sql: db, secrets: await open() }, dataDir);
    expect(await forget()).toBe(false);
    await beginKeyFileRotation({ sql: db, secrets }, dataDir);
    age(files.current, 601_000);
    await expect(forget()).rejects.toThrow('3 stored secrets are not sealed with the current key');
    await resealAll({ sql: db, secrets });
    age(files.current, 0);
    await expect(forget()).rejects.toThrow('ten minutes');
    age(files.current, 601_000);
    expect(await forget()).toBe(true);
    expect(existsSync(files.previous)).toBe(false);
    expect(await forget()).toBe(false);
    await expect(requireRightMasterKey(db, await open())).resolves.toBeUndefined();
  });

  test('what a crash left of writing a key goes with the previous one, and nothing else does', async () => {
    const { open, dataDir, files } = await anInstallation();
    const secrets = await open();
    const left = [`${files.current}.4711`, `${files.previous}.4711`];
    const others = [`${files.current}.bak`, join(dataDir, 'first-account.txt')];
    for (const file of [...left, ...others]) writeFileSync(file, '', { mode: 0o600 });
    const forget = () => forgetPreviousKeyFile({ sql: database.db, secrets }, dataDir);
    // One that is being written by another process at its first start is such a file, too.
    await expect(forget()).rejects.toThrow('ten minutes');
    expect(left.filter(existsSync)).toEqual(left);
    age(files.current, 601_000);
    expect(await forget()).toBe(true);
    expect(left.filter(existsSync)).toEqual([]);
    expect([files.current, ...others].filter(existsSync)).toEqual([files.current, ...others]);
  });
});

describe('deliveries', () => {
  let world: DeliveryWorld;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = tempFolder('rotate');
    const secrets = await openSecrets({ masterKey: undefined, masterKeyPrevious: undefined, dataDir });
    world = await startDeliveryWorld({ secrets });
  });
  afterAll(async () => {
    await world.stop();
    rmSync(dataDir, { recursive: true });
  });

  test('are signed rightly before, while and after the key is replaced and everything is sealed anew', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const count = 40;
    for (let index = 0; index < count; index += 1) {
      await world.aWebhook({ url: receiver.url(`/${index}`), secret: `secret ${index}` });
    }
    const deliver = async (): Promise<void> => {
      const ids = await world.anEvent();
      const first = { round: 1, kind: 'scheduled', number: 1 } as const;
      const attempts = ids.map((id) => world.attempt({ deliveryId: showId('delivery', id), ...first }));
      expect((await Promise.all(attempts)).map(({ type }) => type)).toEqual(ids.map(() => 'recorded'));
    };
    const rotate = async () => {
      const secrets = await openSecrets({ masterKey: undefined, masterKeyPrevious: undefined, dataDir });
      await beginKeyFileRotation({ sql: world.db, secrets }, dataDir);
      return resealAll({ sql: world.db, secrets });
    };
    await deliver();
    const rotating = rotate();
    for (let round = 0; round < 3; round += 1) await deliver();
    expect(await rotating).toEqual({ count: count + 1, failed: [] });
    await deliver();
    expect(receiver.requests).toHaveLength(count * 5);
    for (const { path, rawBody, headers } of receiver.requests) {
      expect(verifySignature(rawBody, `secret ${path.slice(1)}`, headers['x-service-signature'])).toBe(true);
    }
  });
});
