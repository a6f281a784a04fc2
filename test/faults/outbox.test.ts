import { describe, expect, test, vi } from 'vitest';
import type { Answer } from '../helpers/receiver.ts';
import { holdLock } from '../helpers/locks.ts';
import { useInstallation } from './installed.ts';
import { report } from './report.ts';
import { expectNoneAgain, type Site } from './site.ts';
import { countUnrecorded } from './unrecorded.ts';
import { patienceMs } from './patience.ts';
import { writesMessages } from './statements.ts';

describe('the outbox', () => {
  const { installed, aSite } = useInstallation();

  const webhooks = 10;
  const waiting = { timeout: patienceMs, interval: 10 };
  const underWay = ({ ledger }: Site) => vi.waitUntil(() => ledger.underWay() === webhooks, waiting);

  /** A site whose first POSTs get no answer until the test gives one. */
  const aHeldSite = async () => {
    const answer = Promise.withResolvers<Answer>();
    const site = await aSite({ webhooks, respond: ({ time }) => (time === 1 ? answer.promise : 200) });
    return { site, answer: answer.resolve };
  };

  test('SIGKILL while a batch is read: the next process has it sent, once', async () => {
    const { db, service } = installed();
    const site = await aSite({ webhooks });
    const lock = await holdLock(db, (sql) => sql`lock table attempts in access exclusive mode`);
    // What the insert has read for first attempts is too old by its end, so they are read again.
    const insert = await holdLock(db, (sql) => sql`lock table deliveries in exclusive mode`);
    const answered = site.hand('m-1');
    await insert.hasStopped(writesMessages);
    await insert.letThrough();
    expect(await answered).toBe(202);
    await lock.hasStopped('select d.round, d.sender');
    await service.kill();
    await lock.release();
    expect(site.ledger.posts).toEqual([]);
    const sinceMs = await service.start();
    const tally = await site.settle();
    expect(tally).toMatchObject({ accepted: webhooks, sentAgain: 0 });
    await report('batchRead', tally, { sinceMs });
  });

  test('SIGKILL while one batch is under way and another is half recorded: only what has no record is sent again', async () => {
    const { db, service } = installed();
    const [sent, recorded] = [await aHeldSite(), await aHeldSite()];
    expect(await recorded.site.hand('m-1')).toBe(202);
    await underWay(recorded.site);
    const { accountId } = recorded.site;
    const lock = await holdLock(
      db,
      (sql) => sql`select 1 from deliveries where account_id = ${accountId} order by id desc limit 1 for update`,
    );
    recorded.answer(200);
    await lock.hasStopped('insert into attempts');
    expect(await sent.site.hand('m-1')).toBe(202);
    await underWay(sent.site);
    await service.kill();
    await lock.release();
    sent.answer({ type: 'close' });
    const unrecorded = await countUnrecorded(installed(), recorded.site.ledger.posts);
    expect(unrecorded).toBeGreaterThan(0);

    const sinceMs = await service.start();
    const again = () => recorded.site.ledger.posts.length - webhooks >= unrecorded;
    await vi.waitUntil(again, { timeout: patienceMs, interval: 20 });
    const tally = await recorded.site.settle();
    expect(tally).toMatchObject({ accepted: webhooks, sentAgain: unrecorded });
    await report('batchHalfRecorded', { ...tally, lastAtMs: Date.now() }, { sinceMs });
    const sentTally = await sent.site.settle();
    expect(sentTally).toMatchObject({ accepted: webhooks, sentAgain: webhooks });
    await report('batchSent', sentTally, { sinceMs });
  });

  test('PostgreSQL, killed under a batch: its outcomes are recorded when it is back, and none is sent again', async () => {
    const { postgres } = installed();
    const { site, answer } = await aHeldSite();
    expect(await site.hand('m-1')).toBe(202);
    await underWay(site);
    await postgres.kill();
    answer(200);
    await vi.waitUntil(() => site.ledger.underWay() === 0, waiting);
    const sinceMs = Date.now();
    await postgres.start();
    const tally = await site.settle();
    expect(tally.accepted).toBe(webhooks);
    await expectNoneAgain(site, tally);
    await report('batchWithoutPostgres', { ...tally, lastAtMs: Date.now() }, { sinceMs });
  });
});
