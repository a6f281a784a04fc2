import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findDisabling, hastenLastAttempt, tallyMails } from './exhaust.ts';
import { startInstallation, type Installation } from './installation.ts';
import { holdLock } from './locks.ts';
import { report } from './report.ts';
import { createSite, type Site, type SiteOptions } from './site.ts';

describe('SIGKILL of the process', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await startInstallation();
  });
  afterAll(() => installation.stop());

  const aSite = async (options?: SiteOptions): Promise<Site> => {
    const site = await createSite(installation, options);
    onTestFinished(site.close);
    return site;
  };

  /** Shown in two tests: Temporal gives a mail two minutes, in which the others find their place. */
  let mailed: { site: Site; sinceMs: number } | undefined;

  test('during mail: the mail server has all of it, and the process dies before it hears so', async () => {
    const { service, mailServer } = installation;
    const site = await createSite(installation, { respond: () => 500 });
    mailServer.beforeAnswer(site.ownerEmail, () => service.kill());
    await site.handUntilAccepted('m-1');
    await hastenLastAttempt(installation, site);
    const handedOver = () => mailServer.received.some(({ to }) => to === site.ownerEmail);
    await vi.waitUntil(handedOver, { timeout: 30_000, interval: 20 });
    await site.close();
    mailed = { site, sinceMs: await service.start() };
    expect((await findDisabling(installation, site)).mails).toEqual(['pending']);
  });

  test('before the commit: nothing was accepted, and the same message again is one message and one delivery', async () => {
    const { db, service } = installation;
    const site = await aSite();
    const lock = await holdLock(db, (sql) => sql`lock table deliveries in exclusive mode`);
    const answered = site.hand('m-1');
    await lock.hasStopped('insert into deliveries');
    await service.kill();
    expect(await answered).toBeUndefined();
    await lock.release();
    const messages = () => db`select 1 from messages where account_id = ${site.accountId} and external_id = 'm-1'`;
    expect(await messages()).toHaveLength(0);

    const sinceMs = await service.start();
    await site.handUntilAccepted('m-1');
    const tally = await site.settle();
    expect(await messages()).toHaveLength(1);
    expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 0 });
    await report('beforeCommit', tally, { sinceMs });
  });

  test('after the commit, before its workflow is started: the next process delivers it, once', async () => {
    const { temporal, service } = installation;
    const site = await aSite();
    await temporal.kill();
    expect(await site.hand('m-1')).toBe(202);
    await service.kill();
    expect(site.ledger.posts).toEqual([]);

    await temporal.start();
    const sinceMs = await service.start();
    const tally = await site.settle();
    expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 0 });
    await report('beforeStart', tally, { sinceMs });
  });

  test('during the POST: it is sent again with the same id', async () => {
    const { service } = installation;
    const site = await aSite({
      respond: async ({ time }) => {
        if (time > 1) return 200;
        await service.kill();
        return { type: 'close' };
      },
    });
    expect(await site.hand('m-1')).toBe(202);
    await vi.waitUntil(() => site.ledger.posts.length === 1, { timeout: 10_000 });
    const sinceMs = await service.start();
    const tally = await site.settle();
    expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
    await report('duringPost', tally, { sinceMs });
  });

  test('after the POST, before its record: at least once means that it is sent again, with the same id', async () => {
    const { db, service } = installation;
    const site = await aSite();
    const lock = await holdLock(db, (sql) => sql`lock table attempts in exclusive mode`);
    expect(await site.hand('m-1')).toBe(202);
    await lock.hasStopped('insert into attempts');
    await service.kill();
    await lock.release();
    expect(site.ledger.posts).toHaveLength(1);
    expect(await db`select 1 from attempts where account_id = ${site.accountId}`).toHaveLength(0);

    const sinceMs = await service.start();
    await vi.waitUntil(() => site.ledger.posts.length === 2, { timeout: 60_000 });
    const tally = await site.settle();
    expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
    await report('beforeRecord', { ...tally, lastAtMs: Date.now() }, { sinceMs });
  });

  test('during disabling: the webhook is disabled once, and one mail is sent', async () => {
    const { db, service } = installation;
    const site = await aSite({ respond: () => 500 });
    await site.handUntilAccepted('m-1');
    const lock = await holdLock(
      db,
      (sql) => sql`
      select 1 from webhooks where account_id = ${site.accountId} for update`,
    );
    await hastenLastAttempt(installation, site);
    await lock.hasStopped('from webhooks');
    await service.kill();
    await lock.release();
    expect(await findDisabling(installation, site)).toEqual({
      webhook: { status: 'active', disabledReason: null },
      mails: [],
    });

    const sinceMs = await service.start();
    const disabled = { webhook: { status: 'disabled', disabledReason: 'failures' }, mails: ['sent'] };
    await expect.poll(() => findDisabling(installation, site), { timeout: 60_000 }).toEqual(disabled);
    expect(site.ledger.posts).toHaveLength(2);
    expect(site.ledger.problems).toEqual([]);
    const tally = tallyMails(installation, site);
    expect(tally).toMatchObject({ delivered: 1, sentAgain: 0 });
    await report('duringDisabling', tally, { sinceMs });
  });

  test('during mail, two minutes later: it was handed over again with the same Message-ID, and that is noted', async () => {
    if (!mailed) throw new Error('the mail was not handed over');
    const { site, sinceMs } = mailed;
    const disabled = { webhook: { status: 'disabled', disabledReason: 'failures' }, mails: ['sent'] };
    await expect.poll(() => findDisabling(installation, site), { timeout: 150_000, interval: 200 }).toEqual(disabled);
    const tally = tallyMails(installation, site);
    expect(tally).toMatchObject({ delivered: 1, sentAgain: 1 });
    await report('duringMail', tally, { sinceMs });
  }, 180_000);
});

describe('SIGTERM of the process', () => {
  test('under load loses nothing and sends nothing twice', async () => {
    const installation = await startInstallation();
    onTestFinished(installation.stop);
    const site = await createSite(installation);
    onTestFinished(site.close);
    const loaded = site.load({ perSecond: 50, seconds: 4 });
    await vi.waitUntil(() => site.accepted.size >= 100, { timeout: 20_000 });
    await installation.service.stop();
    const sinceMs = await installation.service.start();
    await loaded;
    const tally = await site.settle();
    expect(tally).toMatchObject({ accepted: 200, sentAgain: 0 });
    await report('sigterm', tally, { sinceMs });
  });
});
