import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../../src/shared/ids.ts';
import { createMedia } from '../../../src/shared/media/media.ts';
import { parseConfig } from '../../../src/shared/platform/config.ts';
import type { Database, Sql } from '../../../src/shared/platform/db/connect.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

let database: TestDatabase;
const secrets = createSecrets(Buffer.alloc(32, 7));
const { baseUrl, mediaQuota } = parseConfig({});
const media = createMedia({ baseUrl, mediaQuota, dataDir: tempFolder('media') }, secrets);
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await media.stop();
  await database.drop();
});

const take = (
  db: Database,
  from: { accountId: string; visitorId?: string },
  rest: Promise<unknown> = Promise.resolve(),
) => {
  const write = <Result>(work: (sql: Sql) => Promise<Result>) => work(db);
  const chunks = async function* () {
    yield Buffer.from('hello');
    await rest;
  };
  return media.take({ db, write }, { ...from, name: 'note.txt', bytes: undefined, chunks: chunks() });
};
const busy = { code: 'rate_limited' };

test('visitors whose files trickle in leave places to agents and channels of the account', async () => {
  const { db } = database;
  const { accountId } = await anAccount({ db, secrets });
  const hanging = Promise.withResolvers<void>();
  const visitors = Array.from({ length: 30 }, () => newUuid());
  const slow = visitors.flatMap((visitorId) => [1, 2].map(() => take(db, { accountId, visitorId }, hanging.promise)));
  const settled = Promise.allSettled(slow);
  const [visitorId] = visitors;
  await expect(take(db, { accountId, ...(visitorId && { visitorId }) })).rejects.toMatchObject(busy);
  const agents = await Promise.all(Array.from({ length: 12 }, () => take(db, { accountId })));
  expect(agents.map(({ name }) => name)).toEqual(Array(12).fill('note.txt'));
  const { accountId: other } = await anAccount({ db, secrets });
  expect(await take(db, { accountId: other, visitorId: newUuid() })).toMatchObject({ bytes: 5 });
  hanging.resolve();
  const taken = (await settled).filter(({ status }) => status === 'fulfilled');
  expect(taken).toHaveLength(10);
});

test('a visitor sends two files at a time, and another one sends beside it', async () => {
  const { db } = database;
  const { accountId } = await anAccount({ db, secrets });
  const hanging = Promise.withResolvers<void>();
  const [one, other] = [newUuid(), newUuid()];
  const slow = [1, 2].map(() => take(db, { accountId, visitorId: one }, hanging.promise));
  await expect(take(db, { accountId, visitorId: one })).rejects.toMatchObject(busy);
  expect(await take(db, { accountId, visitorId: other })).toMatchObject({ bytes: 5 });
  hanging.resolve();
  expect(await Promise.all(slow)).toHaveLength(2);
});
