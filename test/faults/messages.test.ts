import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { holdLock, type HeldLock } from '../helpers/locks.ts';
import type { Answer } from '../helpers/receiver.ts';
import { useInstallation } from './installed.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';

describe('messages to a contact', () => {
  const { installed } = useInstallation();

  const waiting = { timeout: patienceMs, interval: 20 };
  const anOutlet = async (respond: (time: number) => Answer | Promise<Answer>): Promise<Outlet> => {
    const outlet = await createOutlet(installed(), ({ length }) => respond(length));
    onTestFinished(outlet.close);
    return outlet;
  };

  test('SIGKILL before a send: the next process sends the message, once', async () => {
    const { db, service } = installed();
    const outlet = await anOutlet(() => 200);
    const lock = await holdLock(db, (sql) => sql`lock table contact_identities in access exclusive mode`);
    await outlet.send('one');
    await lock.hasStopped('update sendings set sender');
    await service.kill();
    await lock.release();
    expect(outlet.posts).toEqual([]);
    const sinceMs = await service.start();
    const tally = await outlet.settle();
    expect(tally).toMatchObject({ accepted: 1, sentAgain: 0 });
    await report('messageRead', tally, { sinceMs });
  });

  test('SIGKILL after a send, before its record: the message comes again with its id and bytes, and the next after it', async () => {
    const { db, service } = installed();
    let lock: HeldLock | undefined;
    const outlet = await anOutlet(async (time) => {
      if (time === 1)
        lock = await holdLock(db, (sql) => sql`select from outbound_messages where status = 'queued' for update`);
      return 200;
    });
    await outlet.send('one');
    await vi.waitUntil(() => lock !== undefined, waiting);
    await lock?.hasStopped('outbound_messages');
    await outlet.send('two');
    await service.kill();
    await lock?.release();
    const sinceMs = await service.start();
    const tally = await outlet.settle();
    expect(outlet.posts.map(({ text }) => text)).toEqual(['one', 'one', 'two']);
    expect(tally).toMatchObject({ accepted: 2, sentAgain: 1 });
    await report('messageUnrecorded', tally, { sinceMs });
  });

  test('PostgreSQL, killed under a send: its outcome is recorded when it is back, and it is not sent again', async () => {
    const { postgres } = installed();
    const answer = Promise.withResolvers<Answer>();
    const outlet = await anOutlet((time) => (time === 1 ? answer.promise : 200));
    await outlet.send('one');
    await vi.waitUntil(() => outlet.posts.length === 1, waiting);
    await outlet.send('two');
    await postgres.kill();
    answer.resolve(200);
    const sinceMs = Date.now();
    await postgres.start();
    const tally = await outlet.settle();
    expect(tally).toMatchObject({ accepted: 2, sentAgain: 0 });
    await report('messageWithoutPostgres', tally, { sinceMs });
  });
});
