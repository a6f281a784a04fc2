import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startInstallation } from './installation.ts';
import { report } from './report.ts';
import { createSite } from './site.ts';

/** 20,000 are the whole proof and take minutes on a quiet machine; without FAULT_DELIVERIES as many as CI has the time for. */
const deliveries = Number(process.env['FAULT_DELIVERIES'] || 3_000);
const webhooks = 10;
const livesForMs = 10_000;

/** Messages handed in at once, and deliveries accepted but not yet made: enough to be caught in the middle of each step. */
const senders = 8;
const outstanding = 600;

const limitMs = 120_000 + deliveries * 60;

test(
  `${deliveries} deliveries through repeated kills: each event reaches each webhook, under one id`,
  async () => {
    const installation = await startInstallation();
    onTestFinished(installation.stop);
    const { service } = installation;
    const site = await createSite(installation, { webhooks });
    onTestFinished(site.close);

    const startMs = Date.now();
    const events = deliveries / webhooks;
    let handed = 0;
    const send = async (): Promise<void> => {
      while (handed < events) {
        const marker = `m-${(handed += 1)}`;
        await vi.waitUntil(() => site.accepted.size * webhooks - site.ledger.posts.length < outstanding, {
          timeout: limitMs,
          interval: 10,
        });
        await site.handUntilAccepted(marker);
      }
    };
    let kills = 0;
    let sinceMs = startMs;
    const sending = new AbortController();
    const kill = async (): Promise<void> => {
      for (;;) {
        await sleep(livesForMs, undefined, { signal: sending.signal }).catch(() => {});
        if (sending.signal.aborted) return;
        await service.kill();
        kills += 1;
        sinceMs = await service.start();
      }
    };
    const sent = Promise.all(Array.from({ length: senders }, send)).finally(() => sending.abort());
    await Promise.all([sent, kill()]);
    const tally = await site.settle(limitMs);
    expect(kills).toBeGreaterThan(0);
    expect(tally.accepted).toBe(deliveries);
    const perSecond = deliveries / ((tally.lastAtMs - startMs) / 1000);
    const note = `${kills} kills, ${perSecond.toFixed(0)} deliveries/s over all of it`;
    await report('repeatedKills', tally, { sinceMs, note });
  },
  limitMs,
);
