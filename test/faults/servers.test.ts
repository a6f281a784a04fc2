import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hastenLastAttempt, tallyMails, untilDisabled } from './exhaust.ts';
import { createFullDisk } from '../helpers/full-disk.ts';
import { isShown } from './in-modes.ts';
import { useInstallation } from './installed.ts';
import { holdAnswers, type Tally } from './ledger.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import { expectNoneAgain, type Site } from './site.ts';
import { letStrangersCome } from './strangers.ts';

describe('a server that fails under load', () => {
  const { installed, aSite } = useInstallation();

  const waiting = { timeout: patienceMs, interval: 10 };

  /** A site under load, whose receiver holds its answers when it is told to; `end` says what was handed in and settles. */
  const aLoadedSite = async () => {
    const answers = holdAnswers();
    const site = await aSite({ respond: answers.respond });
    const over = new AbortController();
    onTestFinished(() => over.abort());
    const loaded = site.load({ perSecond: 20, seconds: 600, signal: over.signal });
    const untilAccepted = async (more: number): Promise<void> => {
      const from = site.accepted.size;
      await vi.waitUntil(() => site.accepted.size >= from + more, waiting);
    };
    await untilAccepted(40);
    return {
      site,
      untilAccepted,
      /** Resolves when POSTs wait for their answers, which they get by `answerThem`; that resolves, with how many they were, when all have one. */
      untilHeld: async () => {
        answers.hold();
        await vi.waitUntil(() => site.ledger.underWay() >= 3, waiting);
      },
      answerThem: async (): Promise<number> => {
        const held = site.ledger.underWay();
        answers.letGo();
        await vi.waitUntil(() => site.ledger.underWay() === 0, waiting);
        return held;
      },
      untilRefused: () => vi.waitUntil(() => site.refusals.length > 0, waiting),
      end: async (): Promise<Tally> => {
        await untilAccepted(40);
        over.abort();
        await loaded;
        const tally = await site.settle();
        expect(tally.accepted).toBe(site.handedAtMs.size);
        await expectNoneAgain(site, tally);
        return tally;
      },
    };
  };

  /** Refusals that a sender cannot take for a fault of the server. */
  const notServerErrors = ({ refusals }: Site): number[] =>
    refusals.filter((status) => status !== 500 && status !== 503);

  if (isShown('temporalKilled'))
    test('Temporal, killed: events are accepted meanwhile, and delivered once when it is back', async () => {
      const { temporal } = installed();
      const { site, untilAccepted, untilHeld, answerThem, end } = await aLoadedSite();
      await untilHeld();
      await temporal.kill();
      await answerThem();
      // None of them waits for Temporal: it comes back when they have their answers.
      await untilAccepted(100);
      const sinceMs = Date.now();
      await temporal.start();
      // An attempt under way is recorded without Temporal, and found recorded by the task that is made again.
      const tally = await end();
      expect(site.refusals).toEqual([]);
      await report('temporalKilled', tally, { sinceMs });
    });

  if (isShown('postgresKilled'))
    test('PostgreSQL, killed: senders are told, what was answered 202 is kept, and all of it is delivered once', async () => {
      const { postgres } = installed();
      const { site, untilHeld, answerThem, untilRefused, end } = await aLoadedSite();
      await untilHeld();
      await postgres.kill();
      const late = await answerThem();
      await untilRefused();
      await sleep(2_000);
      const sinceMs = Date.now();
      await postgres.start();
      const tally = await end();
      expect(notServerErrors(site)).toEqual([]);
      await report('postgresKilled', tally, { sinceMs, note: `${late} recorded late` });
    });

  if (isShown('diskFull'))
    test('PostgreSQL, its disk full: senders are told, nothing accepted is lost, and nothing recorded late is sent twice', async () => {
      const disk = await createFullDisk(installed().db, ['attempts', 'deliveries']);
      onTestFinished(disk.remove);
      const { site, untilAccepted, untilHeld, answerThem, untilRefused, end } = await aLoadedSite();
      await untilHeld();
      await disk.refuse('attempts');
      // Events are accepted and sent, and nothing of it can be written down.
      await untilAccepted(20);
      const late = await answerThem();
      await disk.refuse('attempts', 'deliveries');
      await untilRefused();
      await sleep(2_000);
      await disk.refuse();
      const sinceMs = Date.now();
      const tally = await end();
      expect(notServerErrors(site)).toEqual([]);
      await report('diskFull', tally, { sinceMs, note: `${late} recorded late` });
    });

  if (isShown('connectionLimit'))
    test('PostgreSQL, out of connections: senders are told, nothing accepted is lost, and all of it is delivered once', async () => {
      const { db, postgres } = installed();
      const strangers = await letStrangersCome(db, postgres.now().database);
      const { site, untilHeld, answerThem, untilRefused, end } = await aLoadedSite();
      await untilHeld();
      let late = 0;
      const sinceMs = await strangers.crowdOut(async () => {
        late = await answerThem();
        await untilRefused();
        await sleep(2_000);
      });
      const tally = await end();
      expect(notServerErrors(site)).toEqual([]);
      await report('connectionLimit', tally, { sinceMs, note: `${late} recorded late` });
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
