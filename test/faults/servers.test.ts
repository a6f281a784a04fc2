import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hastenLastAttempt, tallyMails, untilDisabled } from './exhaust.ts';
import { createFullDisk } from '../helpers/full-disk.ts';
import { isShown } from './in-modes.ts';
import { useInstallation } from './installed.ts';
import { takeAfter } from './ledger.ts';
import { report } from './report.ts';
import type { Site } from './site.ts';
import { letStrangersCome } from './strangers.ts';

describe('a server that fails under load', () => {
  const { installed, aSite } = useInstallation();

  /** So that whatever fails finds POSTs under way, whose outcome is known a moment later. */
  const slowMs = 300;
  const slow = { respond: takeAfter(slowMs) };

  /** What a call that waits for Temporal would take is longer, in ms. */
  const answeredWithinMs = 6_000;

  const expectOnlyServerErrors = ({ refusals }: Site): void => {
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter((status) => status !== 500 && status !== 503)).toEqual([]);
  };

  /** What was answered so many ms after it came, while nothing could be recorded. The process lives on and records it late. */
  const expectAnswered = ({ ledger }: Site, afterMs: number, { fromMs, toMs }: { fromMs: number; toMs: number }) => {
    const answered = ledger.posts.filter(({ atMs }) => atMs + afterMs > fromMs && atMs + afterMs < toMs).length;
    expect(answered).toBeGreaterThan(0);
    return `${answered} recorded late`;
  };

  if (isShown('temporalKilled'))
    test('Temporal, killed: events are accepted meanwhile, as quickly, and delivered once when it is back', async () => {
      const { temporal } = installed();
      const site = await aSite(slow);
      const loaded = site.load({ perSecond: 20, seconds: 10 });
      await sleep(3_000);
      await temporal.kill();
      const acceptedBefore = site.accepted.size;
      await sleep(5_000);
      const meanwhile = [...site.accepted].slice(acceptedBefore);
      const sinceMs = Date.now();
      await temporal.start();
      await loaded;
      expect(meanwhile.length).toBeGreaterThan(20);
      const answeredInMs = meanwhile.map((marker) => site.answeredInMs.get(marker) ?? Number.NaN);
      expect(Math.max(...answeredInMs)).toBeLessThan(answeredWithinMs);
      expect(site.refusals).toEqual([]);
      const tally = await site.settle();
      // An attempt under way is recorded without Temporal, and found recorded by the task that is made again.
      expect(tally).toMatchObject({ accepted: 200, sentAgain: 0 });
      await report('temporalKilled', tally, { sinceMs, note: `${meanwhile.length} accepted meanwhile` });
    });

  if (isShown('postgresKilled'))
    test('PostgreSQL, killed: senders are told, what was answered 202 is kept, and all of it is delivered once', async () => {
      const { postgres } = installed();
      const site = await aSite(slow);
      const loaded = site.load({ perSecond: 20, seconds: 10 });
      await sleep(3_000);
      await postgres.kill();
      const fromMs = Date.now();
      await sleep(2_000);
      const sinceMs = Date.now();
      await postgres.start();
      await loaded;
      expectOnlyServerErrors(site);
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 200, sentAgain: 0 });
      await report('postgresKilled', tally, { sinceMs, note: expectAnswered(site, slowMs, { fromMs, toMs: sinceMs }) });
    });

  if (isShown('diskFull'))
    test('PostgreSQL, its disk full: senders are told, nothing accepted is lost, and nothing recorded late is sent twice', async () => {
      const site = await aSite(slow);
      const disk = await createFullDisk(installed().db, ['attempts', 'deliveries']);
      onTestFinished(disk.remove);
      const loaded = site.load({ perSecond: 20, seconds: 8 });
      await sleep(2_000);
      await disk.refuse('attempts');
      const fromMs = Date.now();
      // A second in which events are accepted and sent, and nothing of it can be written down.
      await sleep(1_000);
      await disk.refuse('attempts', 'deliveries');
      await sleep(2_000);
      await disk.refuse();
      const sinceMs = Date.now();
      await loaded;
      expectOnlyServerErrors(site);
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 160, sentAgain: 0 });
      await report('diskFull', tally, { sinceMs, note: expectAnswered(site, slowMs, { fromMs, toMs: sinceMs }) });
    });

  if (isShown('connectionLimit'))
    test('PostgreSQL, out of connections: senders are told, nothing accepted is lost, and all of it is delivered once', async () => {
      const { db, postgres } = installed();
      // A second each, so that many end while there is no connection to record them.
      const site = await aSite({ respond: takeAfter(1_000) });
      const strangers = await letStrangersCome(db, postgres.now().database);
      const loaded = site.load({ perSecond: 20, seconds: 10 });
      await sleep(2_000);
      const sinceMs = await strangers.crowdOut(3);
      await loaded;
      expectOnlyServerErrors(site);
      const tally = await site.settle();
      expect(tally).toMatchObject({ accepted: 200, sentAgain: 0 });
      const outFor = { fromMs: sinceMs - 3_000, toMs: sinceMs };
      await report('connectionLimit', tally, { sinceMs, note: expectAnswered(site, 1_000, outFor) });
    });

  if (isShown('mailRefused'))
    test('the mail server, refusing twice: one mail in the end', async () => {
      const { mailServer } = installed();
      const site = await aSite({ respond: () => 500 });
      mailServer.refuse(site.ownerEmail, 421, 451);
      await site.handUntilAccepted('m-1');
      await hastenLastAttempt(installed(), site);
      await untilDisabled(installed(), site);
      const refused = mailServer.refused.filter(({ to }) => to === site.ownerEmail);
      expect(refused.map(({ code }) => code)).toEqual([421, 451]);
      const tally = tallyMails(installed(), site);
      expect(tally).toMatchObject({ delivered: 1, sentAgain: 0 });
      await report('mailRefused', tally, { sinceMs: refused.at(-1)?.atMs ?? Number.NaN });
    });
});
