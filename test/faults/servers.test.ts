import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findDisabling, hastenLastAttempt, tallyMails } from './exhaust.ts';
import { startInstallation, type Installation } from './installation.ts';
import { report } from './report.ts';
import { createSite, type Site, type SiteOptions } from './site.ts';
import { crowdOut } from './strangers.ts';

describe('a server that fails under load', () => {
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

  const expectOnlyServerErrors = ({ refusals }: Site): void => {
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter((status) => status !== 500 && status !== 503)).toEqual([]);
  };

  test('Temporal, killed: every event is accepted meanwhile, and delivered when it is back', async () => {
    const { temporal } = installation;
    const site = await aSite();
    const loaded = site.load({ perSecond: 20, seconds: 10 });
    await sleep(3_000);
    await temporal.kill();
    await sleep(5_000);
    const sinceMs = Date.now();
    await temporal.start();
    await loaded;
    expect(site.refusals).toEqual([]);
    const tally = await site.settle(90_000);
    expect(tally.accepted).toBe(200);
    await report('temporalKilled', tally, { sinceMs });
  });

  test('PostgreSQL, killed: senders are told, what was answered 202 is kept, and all of it is delivered', async () => {
    const { postgres } = installation;
    const site = await aSite();
    const loaded = site.load({ perSecond: 20, seconds: 10 });
    await sleep(3_000);
    await postgres.kill();
    await sleep(2_000);
    const sinceMs = Date.now();
    await postgres.start();
    await loaded;
    expectOnlyServerErrors(site);
    const tally = await site.settle(90_000);
    expect(tally.accepted).toBe(200);
    await report('postgresKilled', tally, { sinceMs });
  });

  test('PostgreSQL, its disk full: senders are told, nothing accepted is lost, and nothing recorded late is sent twice', async () => {
    const { db } = installation;
    const site = await aSite();
    const loaded = site.load({ perSecond: 20, seconds: 8 });
    await sleep(2_000);
    await db`
      create function disk_full() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`;
    await db`create trigger disk_full before insert on deliveries for each row execute function disk_full()`;
    await db`create trigger disk_full before insert on attempts for each row execute function disk_full()`;
    await sleep(3_000);
    await db`drop function disk_full() cascade`;
    const sinceMs = Date.now();
    await loaded;
    expectOnlyServerErrors(site);
    const tally = await site.settle(90_000);
    expect(tally).toMatchObject({ accepted: 160, sentAgain: 0 });
    await report('diskFull', tally, { sinceMs });
  });

  test('PostgreSQL, out of connections: senders are told, and nothing accepted is lost', async () => {
    const { db, postgres } = installation;
    const site = await aSite();
    const loaded = site.load({ perSecond: 20, seconds: 8 });
    await sleep(2_000);
    const sinceMs = await crowdOut(db, postgres.now().database, 3);
    await loaded;
    expectOnlyServerErrors(site);
    const tally = await site.settle(90_000);
    expect(tally.accepted).toBe(160);
    await report('connectionLimit', tally, { sinceMs });
  });

  test('the mail server, refusing for a while: one mail in the end', async () => {
    const { mailServer } = installation;
    const site = await aSite({ respond: () => 500 });
    mailServer.refuse(site.ownerEmail, 421, 451);
    await site.handUntilAccepted('m-1');
    await hastenLastAttempt(installation, site);
    const disabled = { webhook: { status: 'disabled', disabledReason: 'failures' }, mails: ['sent'] };
    await expect.poll(() => findDisabling(installation, site), { timeout: 60_000, interval: 50 }).toEqual(disabled);
    const tally = tallyMails(installation, site);
    expect(tally).toMatchObject({ delivered: 1, sentAgain: 0 });
    await report('mailRefused', tally, { sinceMs: mailServer.refusedAtMs() });
  });
});
