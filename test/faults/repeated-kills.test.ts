import { expect, test, vi } from 'vitest';
import { useInstallation } from './installed.ts';
import { takeAfter } from './ledger.ts';
import { report } from './report.ts';
import { countUnrecorded } from './unrecorded.ts';
import { patienceMs } from './patience.ts';

/** 20,000 are the whole proof and take minutes on a quiet machine; without FAULT_DELIVERIES as many as CI has the time for. */
const deliveries = Number(process.env['FAULT_DELIVERIES'] || 600);
const webhooks = 10;
const events = deliveries / webhooks;
const kills = Math.max(3, Math.round(deliveries / 1_000));

/** Messages handed in at once, and deliveries accepted but not yet made: enough to be caught in the middle of each step, and to be left at each kill. */
const senders = 8;
const outstanding = Math.min(600, deliveries / 3);

const limitMs = patienceMs + deliveries * 60;
const waiting = { timeout: limitMs, interval: 10 };

const { installed, aSite } = useInstallation();

test(
  `${deliveries} deliveries through ${kills} kills: each event reaches each webhook, under one id, and is sent again only where its POST was not recorded`,
  async () => {
    const { service } = installed();
    const site = await aSite({ webhooks, respond: takeAfter(100) });
    const { accepted, ledger } = site;
    const startMs = Date.now();
    let handed = 0;
    const send = async (): Promise<void> => {
      while (handed < events) {
        const marker = `m-${(handed += 1)}`;
        await vi.waitUntil(() => accepted.size * webhooks - ledger.seen() < outstanding, waiting);
        await site.handUntilAccepted(marker);
      }
    };
    let sinceMs = startMs;
    let unrecorded = 0;
    let firstOfLife = 0;
    const killRepeatedly = async (): Promise<void> => {
      for (let kill = 1; kill <= kills; kill += 1) {
        const share = (events * kill) / (kills + 1);
        await vi.waitUntil(() => accepted.size >= share && ledger.underWay() > 0, waiting);
        await service.kill();
        await vi.waitUntil(() => ledger.underWay() === 0, waiting);
        // A life's POSTs begin before it is ready to answer.
        unrecorded += await countUnrecorded(installed(), ledger.posts.slice(firstOfLife));
        firstOfLife = ledger.posts.length;
        sinceMs = await service.start();
      }
    };
    await Promise.all([killRepeatedly(), ...Array.from({ length: senders }, send)]);
    const tally = await site.settle(limitMs);
    expect(tally.accepted).toBe(deliveries);
    expect(tally.sentAgain).toBeGreaterThan(0);
    expect(tally.sentAgain).toBeLessThanOrEqual(unrecorded);
    const perSecond = deliveries / ((tally.lastAtMs - startMs) / 1000);
    const note = `${kills} kills, ${perSecond.toFixed(0)} deliveries/s over all of it`;
    await report('repeatedKills', tally, { sinceMs, note });
  },
  limitMs,
);
