import { expect, onTestFinished, test } from 'vitest';
import { createVisitLine } from '../../../src/api/webchat/visit-line.ts';
import { connectDatabase } from '../../../src/shared/platform/db/connect.ts';
import { startApi } from '../../helpers/api.ts';
import { holdLock } from '../../helpers/locks.ts';
import { aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';

test('however many visits of one channel wait for PostgreSQL, others find a connection to it', async () => {
  const api = await startApi();
  onTestFinished(() => api.stop());
  const [crowded, quiet] = await Promise.all([api.createAccount(), api.createAccount()]);
  const channel = await aWebchat(api, crowded);
  const db = connectDatabase(api.target, { max: 2 });
  onTestFinished(() => db.end());
  const lock = await holdLock(db, (sql) => sql`lock table channels in access exclusive mode`);
  const crowd = Array.from({ length: 50 }, () => aVisitor(api, channel).ask('GET', '/config'));
  await lock.hasStopped('from channels');
  const made = await api.request('POST', '/v1/tags', { key: quiet.apiKey, body: { name: 'vip' } });
  expect(made.status).toBe(201);
  await lock.letThrough();
  expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('a visit that waits too long is refused, and one of another channel is looked up', async () => {
  const line = createVisitLine({ patienceMs: 20 });
  const hanging = Promise.withResolvers<string>();
  const begun = Array.from({ length: 2 }, () => line('crowded', () => hanging.promise));
  await expect(line('crowded', async () => 'late')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Too many people chat'),
  });
  expect(await line('quiet', async () => 'found')).toBe('found');
  hanging.resolve('found');
  expect(await Promise.all(begun)).toEqual(Array(2).fill('found'));
  expect(await line('crowded', async () => 'found')).toBe('found');
});

test('of a channel for which many visits wait, one more is refused without a query', async () => {
  const line = createVisitLine({ waitingPerChannel: 3 });
  const hanging = Promise.withResolvers<string>();
  const waiting = Array.from({ length: 5 }, () => line('crowded', () => hanging.promise));
  await expect(line('crowded', () => expect.fail('it asked'))).rejects.toMatchObject({ code: 'unavailable' });
  hanging.resolve('found');
  expect(await Promise.all(waiting)).toEqual(Array(5).fill('found'));
});
