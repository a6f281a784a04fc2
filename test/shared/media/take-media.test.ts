import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createApiKey } from '../../../src/shared/accounts/api-keys.ts';
import { showId } from '../../../src/shared/ids.ts';
import { createFileStore, mediaFolder } from '../../../src/shared/media/file-store.ts';
import { removeMedia } from '../../../src/shared/media/remove-media.ts';
import { mediaNoun } from '../../../src/shared/media/schema.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase, untilSomebodyWaits } from '../../helpers/database.ts';
import { aPicture } from '../../helpers/files.ts';
import { startParley } from '../../helpers/parley-process.ts';
import { ageMedia } from '../../helpers/states/media.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { startDevServer, type DevServer } from '../../helpers/temporal.ts';
import { untold } from '../../helpers/untold.ts';

let database: TestDatabase;
let temporal: DevServer;
const dataDir = tempFolder('killed-uploads');
const masterKey = randomBytes(32);

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
});
afterAll(async () => {
  await Promise.all([database.drop(), temporal.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});

const start = async () => {
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.target,
    TEMPORAL_ADDRESS: temporal.address,
    MASTER_KEY: masterKey.toString('base64'),
  };
  const parley = await startParley({ env });
  onTestFinished(async () => void (await parley.stop()));
  return parley;
};

type Answered = { id: string; url: string };

test('SIGKILL in the middle of uploads loses no file that was answered 201, and leaves nothing else', async () => {
  const { db } = database;
  const { accountId } = await anAccount({ db, secrets: createSecrets(masterKey) });
  const { value: key } = await createApiKey(untold(db), accountId, 'test');
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/octet-stream' };
  const first = await start();
  const upload = (body: Buffer): Promise<Response> =>
    fetch(`${first.url}/v1/media?name=a`, { method: 'POST', headers, body: new Uint8Array(body) });

  const files = [await aPicture(), await aPicture('jpeg'), randomBytes(300_000), Buffer.from('%PDF-1.4 of a shop')];
  const answered = new Map<string, Buffer>();
  for (const file of files) {
    const answer = await upload(file);
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as Answered;
    answered.set(id, file);
  }

  const folder = join(mediaFolder(dataDir), accountId);
  const half = request(`${first.url}/v1/media?name=half`, { method: 'POST', headers });
  const isCut = new Promise((resolve) => half.once('error', resolve));
  half.write(randomBytes(100_000));
  const sizesOfParts = async (): Promise<number[]> =>
    Promise.all(
      (await readdir(folder))
        .filter((name) => name.endsWith('.part'))
        .map(async (name) => (await stat(join(folder, name))).size),
    );
  await vi.waitUntil(async () => (await sizesOfParts()).includes(100_000), { timeout: 60_000 });

  // The file and its thumbnail are there, and the row cannot say so yet.
  const killed = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = db.begin(async (sql) => {
    await sql`lock table media_usage in exclusive mode`;
    locked.resolve();
    await killed.promise;
  });
  await locked.promise;
  const whole = upload(await aPicture('webp')).then(
    ({ status }) => status,
    () => 'cut off',
  );
  await untilSomebodyWaits(db);
  first.child.kill('SIGKILL');
  expect(await whole).toBe('cut off');
  await isCut;
  killed.resolve();
  await lock;

  await ageMedia(db, accountId, 1);
  const { url } = await start();
  const store = createFileStore(dataDir);
  const inFolder = async () => (await readdir(folder)).map((name) => name.replace(/-thumbnail$/, '')).toSorted();
  const inTable = async () => {
    const rows = await db<{ id: string; hasThumbnail: boolean }[]>`
      select id, has_thumbnail from media where account_id = ${accountId}`;
    return rows.flatMap(({ id, hasThumbnail }) => (hasThumbnail ? [id, id] : [id])).toSorted();
  };
  await removeMedia({ db, store });
  expect(await inFolder()).toEqual(await inTable());
  const rows = await db<{ id: string }[]>`select id from media where account_id = ${accountId} and state = 'stored'`;
  expect(rows.map(({ id }) => showId(mediaNoun, id))).toEqual(expect.arrayContaining([...answered.keys()]));
  for (const [id, file] of answered) {
    const known = (await (await fetch(`${url}/v1/media/${id}`, { headers })).json()) as Answered;
    const linked = new URL(known.url);
    const bytes = await (await fetch(`${url}${linked.pathname}${linked.search}`)).arrayBuffer();
    expect(file.equals(Buffer.from(bytes))).toBe(true);
  }

  await ageMedia(db, accountId, 25);
  await removeMedia({ db, store });
  expect(await inFolder()).toEqual([]);
  expect(await db`select bytes::float8 as bytes, files from media_usage where account_id = ${accountId}`).toEqual([
    { bytes: 0, files: 0 },
  ]);
});
