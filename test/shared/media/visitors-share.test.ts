import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { createMedia } from '../../../src/shared/media/media.ts';
import { parseConfig } from '../../../src/shared/platform/config.ts';
import type { Database, Sql } from '../../../src/shared/platform/db/connect.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';
import { ageMedia } from '../../helpers/states/media.ts';
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
  { rest = Promise.resolve(), by = media }: { rest?: Promise<unknown>; by?: Pick<typeof media, 'take'> } = {},
) => {
  const write = <Result>(work: (sql: Sql) => Promise<Result>) => work(db);
  const chunks = async function* () {
    yield Buffer.from('hello');
    await rest;
  };
  return by.take({ db, write }, { ...from, name: 'note.txt', bytes: undefined, chunks: chunks() });
};
const busy = { code: 'rate_limited' };

test('visitors whose files trickle in leave places to agents and channels of the account', async () => {
  const { db } = database;
  const { accountId } = await anAccount({ db, secrets });
  const hanging = Promise.withResolvers<void>();
  const visitors = Array.from({ length: 30 }, () => newUuid());
  const slow = visitors.flatMap((visitorId) =>
    [1, 2].map(() => take(db, { accountId, visitorId }, { rest: hanging.promise })),
  );
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
  const slow = [1, 2].map(() => take(db, { accountId, visitorId: one }, { rest: hanging.promise }));
  await expect(take(db, { accountId, visitorId: one })).rejects.toMatchObject(busy);
  expect(await take(db, { accountId, visitorId: other })).toMatchObject({ bytes: 5 });
  hanging.resolve();
  expect(await Promise.all(slow)).toHaveLength(2);
});

/** Takes files of accounts that may keep eight, and what is logged of it. */
const withRoomForEight = () => {
  const lines: object[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const quota = { bytes: 1_000_000, files: 8 };
  const by = createMedia({ baseUrl, mediaQuota: quota, dataDir: tempFolder('media') }, secrets, log);
  onTestFinished(() => by.stop());
  return { by, lines };
};

test('visitors together send a quarter in a day of what their account may keep', async () => {
  const { db } = database;
  const { by } = withRoomForEight();
  const { accountId } = await anAccount({ db, secrets });
  const ofVisitor = () => take(db, { accountId, visitorId: newUuid() }, { by });
  await ofVisitor();
  await ofVisitor();
  await expect(ofVisitor()).rejects.toMatchObject({ code: 'rate_limited', message: expect.stringContaining('today') });
  expect(await take(db, { accountId }, { by })).toMatchObject({ bytes: 5 });
  await ageMedia(db, accountId, 25);
  expect(await ofVisitor()).toMatchObject({ bytes: 5 });
});

test('an account that has no room for a file is logged once', async () => {
  const { db } = database;
  const { by, lines } = withRoomForEight();
  const { accountId } = await anAccount({ db, secrets });
  for (let nth = 1; nth <= 8; nth += 1) await take(db, { accountId }, { by });
  expect(lines).toEqual([]);
  for (let nth = 1; nth <= 3; nth += 1)
    await expect(take(db, { accountId }, { by })).rejects.toMatchObject({ code: 'conflict' });
  expect(lines).toMatchObject([{ msg: 'media.no_room', account_id: showId('account', accountId) }]);
  expect(lines).toHaveLength(1);
});
