import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import type { Answer } from '../helpers/receiver.ts';
import { findDisabling, hastenLastAttempt, tallyMails, untilDisabled } from './exhaust.ts';
import { isShown } from './in-modes.ts';
import { useInstallation } from './installed.ts';
import { takeAfter } from './ledger.ts';
import { holdLock } from '../helpers/locks.ts';
import { createOutlet } from './outlet.ts';
import { report } from './report.ts';
import { expectNoneAgain, type Site } from './site.ts';
import { patienceMs } from './patience.ts';
import { writesMessages } from './statements.ts';

describe('a process that ends', () => {
  const { installed, aSite } = useInstallation();

  const listMessages = ({ accountId }: Site) =>
    installed().db`select 1 from messages where account_id = ${accountId} and external_id = 'm-1'`;

  /** Shown in two tests: Temporal gives a mail two minutes, in which the others find their place. */
  let mailed: { site: Site; sinceMs: number } | undefined;

  if (isShown('duringMail'))
    test('SIGKILL during mail: the mail server has all of it, and the process dies before it hears so', async () => {
      const { service, mailServer } = installed();
      const site = await aSite({ respond: () => 500 });
      mailServer.beforeAnswer(site.ownerEmail, () => service.kill());
      await site.handUntilAccepted('m-1');
      await hastenLastAttempt(installed(), site);
      const handedOver = () => mailServer.received.some(({ to }) => to === site.ownerEmail);
      await vi.waitUntil(handedOver, { timeout: patienceMs, interval: 20 });
      mailed = { site, sinceMs: await service.start() };
      expect((await findDisabling(installed(), site)).mails).toEqual(['pending']);
    });

  if (isShown('beforeCommit'))
    test('SIGKILL before the commit: nothing was accepted, and the same message again is one message and one delivery', async () => {
      const { db, service } = installed();
      const site = await aSite();
      const lock = await holdLock(db, (sql) => sql`lock table deliveries in exclusive mode`);
      const answered = site.hand('m-1');
      await lock.hasStopped(writesMessages);
      await service.kill();
      expect(await answered).toBeUndefined();
      await lock.release();
      expect(await listMessages(site)).toHaveLength(0);

      const sinceMs = await service.start();
      await site.handUntilAccepted('m-1');
      const tally = await site.settle();
      expect(await listMessages(site)).toHaveLength(1);
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 0 });
      await report('beforeCommit', tally, { sinceMs });
    });

  if (isShown('beforeAnswer'))
    test('SIGKILL after the commit, before its answer: the same message again is one message and one delivery', async () => {
      const { db, service } = installed();
      const site = await aSite();
      await db`
      create function wait_in_commit() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(1); return null; end $$`;
      onTestFinished(async () => void (await db`drop function wait_in_commit() cascade`));
      await db`
      create constraint trigger wait_in_commit after insert on messages deferrable initially deferred
      for each row execute function wait_in_commit()`;
      const lock = await holdLock(db, (sql) => sql`select pg_advisory_xact_lock(1)`);
      const answered = site.hand('m-1');
      // The usual message is one statement, which commits by itself.
      await lock.hasStopped(writesMessages);
      await service.kill();
      expect(await answered).toBeUndefined();
      expect(await listMessages(site)).toHaveLength(0);
      await lock.letThrough();
      await vi.waitUntil(async () => (await listMessages(site)).length === 1, { timeout: patienceMs });

      const sinceMs = await service.start();
      expect(await site.hand('m-1')).toBe(202);
      const tally = await site.settle();
      expect(await listMessages(site)).toHaveLength(1);
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 0 });
      await report('beforeAnswer', tally, { sinceMs });
    });

  if (isShown('beforeStart'))
    test('SIGKILL between the record of a failed attempt and its workflow: the retry comes when it is due, once', async () => {
      const { db, temporal, service } = installed();
      const site = await aSite({ respond: ({ time }) => (time === 1 ? 500 : 200) });
      await temporal.kill();
      expect(await site.hand('m-1')).toBe(202);
      const recorded = async () => (await db`select from attempts where account_id = ${site.accountId}`).length;
      await vi.waitUntil(async () => (await recorded()) === 1, { timeout: patienceMs, interval: 20 });
      await service.kill();
      expect(site.ledger.posts).toHaveLength(1);

      await temporal.start();
      const sinceMs = await service.start();
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
      await report('beforeStart', tally, { sinceMs });
    });

  if (isShown('afterStart'))
    test('SIGKILL after the workflow of a failed attempt is started: no second workflow, and the retry comes once', async () => {
      const { db, temporalClient, service } = installed();
      const site = await aSite({ respond: ({ time }) => (time === 1 ? 500 : 200) });
      expect(await site.hand('m-1')).toBe(202);
      const workflows = async () => {
        const [delivery] = await db<{ id: string }[]>`select id from deliveries where account_id = ${site.accountId}`;
        const ids = delivery ? ['', '/resume/1'].map((end) => `delivery/${showId('delivery', delivery.id)}${end}`) : [];
        const found = ids.map((id) => temporalClient.workflow.getHandle(id).describe());
        return (await Promise.allSettled(found)).filter(({ status }) => status === 'fulfilled').length;
      };
      await vi.waitUntil(async () => (await workflows()) === 1, { timeout: patienceMs, interval: 20 });
      await service.kill();

      const sinceMs = await service.start();
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
      expect(await workflows()).toBe(1);
      await report('afterStart', tally, { sinceMs });
    });

  if (isShown('duringPost'))
    test('SIGKILL during the POST: it is sent again with the same id', async () => {
      const { service } = installed();
      const site = await aSite({
        respond: async ({ time }) => {
          if (time > 1) return 200;
          await service.kill();
          return { type: 'close' };
        },
      });
      expect(await site.hand('m-1')).toBe(202);
      await vi.waitUntil(() => site.ledger.posts.length === 1, { timeout: patienceMs });
      const sinceMs = await service.start();
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
      await report('duringPost', tally, { sinceMs });
    });

  if (isShown('beforeRecord'))
    test('SIGKILL after the POST, before its record: at least once means that it is sent again, with the same id', async () => {
      const { db, service } = installed();
      const site = await aSite();
      const lock = await holdLock(db, (sql) => sql`lock table attempts in exclusive mode`);
      expect(await site.hand('m-1')).toBe(202);
      await lock.hasStopped('insert into attempts');
      await service.kill();
      await lock.release();
      expect(site.ledger.posts).toHaveLength(1);
      expect(await db`select 1 from attempts where account_id = ${site.accountId}`).toHaveLength(0);

      const sinceMs = await service.start();
      await vi.waitUntil(() => site.ledger.posts.length === 2, { timeout: patienceMs });
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
      await report('beforeRecord', { ...tally, lastAtMs: Date.now() }, { sinceMs });
    });

  if (isShown('duringSend'))
    test('SIGKILL during a send: the message to a contact is sent again with the same id and bytes, and those behind it come after it', async () => {
      const { service } = installed();
      const outlet = await createOutlet(installed(), ({ length }) => (length > 1 ? 200 : { type: 'hang' }));
      onTestFinished(outlet.close);
      await outlet.send('one');
      await vi.waitUntil(() => outlet.posts.length === 1, { timeout: patienceMs });
      await outlet.send('two');
      await service.kill();
      const sinceMs = await service.start();
      const tally = await outlet.settle();
      expect(outlet.posts.map(({ text }) => text)).toEqual(['one', 'one', 'two']);
      expect(tally).toMatchObject({ accepted: 2, delivered: 2, sentAgain: 1 });
      await report('duringSend', tally, { sinceMs });
    });

  if (isShown('duringDisabling'))
    test('SIGKILL during disabling, the webhook written and its mail not: neither is kept, and then it is disabled once, with one mail', async () => {
      const { db, service } = installed();
      const lastAnswer = Promise.withResolvers<Answer>();
      const site = await aSite({ respond: ({ time }) => (time === 1 ? 500 : lastAnswer.promise) });
      await site.handUntilAccepted('m-1');
      await hastenLastAttempt(installed(), site);
      await vi.waitUntil(() => site.ledger.posts.length === 2, { timeout: patienceMs });
      // Only now: the sweep, which the last attempt came from, looks at mails as well.
      const lock = await holdLock(db, (sql) => sql`lock table mails in exclusive mode`);
      lastAnswer.resolve(500);
      await lock.hasStopped('insert into mails');
      await service.kill();
      await lock.release();
      expect(await findDisabling(installed(), site)).toEqual({
        webhook: { status: 'active', disabledReason: null },
        mails: [],
      });

      const sinceMs = await service.start();
      await untilDisabled(installed(), site);
      expect(site.ledger.posts).toHaveLength(2);
      const tally = tallyMails(installed(), site);
      expect(tally).toMatchObject({ delivered: 1, sentAgain: 0 });
      await report('duringDisabling', tally, { sinceMs });
    });

  if (isShown('sigterm'))
    test('SIGTERM under load: it ends by itself, loses nothing and sends nothing twice', async () => {
      const { service } = installed();
      const site = await aSite({ respond: takeAfter(300) });
      // Until the next one is ready: requests and POSTs are under way at each step of the stop.
      const ready = new AbortController();
      onTestFinished(() => ready.abort());
      const loaded = site.load({ perSecond: 25, seconds: 90, signal: ready.signal });
      await vi.waitUntil(() => site.accepted.size >= 50 && site.ledger.underWay() > 0, {
        timeout: patienceMs,
        interval: 5,
      });
      expect(await service.stop()).toBe('exit code 0');
      const sinceMs = await service.start();
      ready.abort();
      await loaded;
      const tally = await site.settle();
      expect(tally.accepted).toBe(site.handedAtMs.size);
      await expectNoneAgain(site, tally);
      await report('sigterm', tally, { sinceMs });
    });

  if (isShown('duringMail'))
    test('SIGKILL during mail, two minutes later: it was handed over again with the same Message-ID, and that is noted', async () => {
      if (!mailed) throw new Error('the mail was not handed over');
      const { site, sinceMs } = mailed;
      await untilDisabled(installed(), site);
      const tally = tallyMails(installed(), site);
      expect(tally).toMatchObject({ delivered: 1, sentAgain: 1 });
      await report('duringMail', tally, { sinceMs });
    });
});
