import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../helpers/receiver.ts';
import { startInstallation, type Installation } from './installation.ts';
import { report } from './report.ts';
import { createSite, type Site, type SiteOptions } from './site.ts';

describe('a receiver', () => {
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

  test('one in ten that hangs for 10 s does not hold up the others, and gets its own in the end', async () => {
    const [healthy, tenth] = [await aSite({ webhooks: 9 }), await aSite()];
    const loadBoth = (name: string) =>
      Promise.all([healthy, tenth].map((site) => site.load({ perSecond: 4, seconds: 12, name })));
    await loadBoth('before');
    await healthy.settle();
    tenth.respondWith(() => ({ type: 'respond', status: 200, delayMs: 10_500 }));
    await loadBoth('beside');
    await healthy.settle();
    tenth.respondWith(() => 200);
    const sinceMs = Date.now();
    const [fine, late] = [await healthy.settle(), await tenth.settle(90_000)];

    expect(fine).toMatchObject({ accepted: 9 * 96, sentAgain: 0 });
    expect(late.accepted).toBe(96);
    const [before, beside] = [p95Ms(healthy, 'before'), p95Ms(healthy, 'beside')];
    // A receiver that held the others up would cost them seconds; the machine's own unrest costs less.
    expect(beside).toBeLessThan(before + 1_000);
    const tally = {
      accepted: fine.accepted + late.accepted,
      delivered: fine.delivered + late.delivered,
      lost: fine.lost + late.lost,
      sentAgain: fine.sentAgain + late.sentAgain,
      lastAtMs: late.lastAtMs,
    };
    const note = `p95 of the other nine: ${before} ms before, ${beside} ms beside it (${(beside / before).toFixed(1)} ×)`;
    await report('oneInTen', tally, { sinceMs, note });
  });

  test('that hangs or resets gets the retry of the ladder, with the same id', async () => {
    const first = (answer: Answer): SiteOptions => ({ respond: ({ time }) => (time === 1 ? answer : 200) });
    const sites = { hang: await aSite(first({ type: 'hang' })), reset: await aSite(first({ type: 'reset' })) };
    const sinceMs = Date.now();
    await Promise.all(Object.values(sites).map((site) => site.handUntilAccepted('m-1')));
    for (const [fault, site] of [
      ['hang', sites.hang],
      ['reset', sites.reset],
    ] as const) {
      const tally = await site.settle(90_000);
      expect(tally).toMatchObject({ accepted: 1, delivered: 1, sentAgain: 1 });
      await report(fault, tally, { sinceMs });
    }
  });
});

/** From handing a message in to a webhook's having its event, of the messages of one load, in whole ms. */
const p95Ms = ({ accepted, webhooks, handedAtMs, ledger }: Site, name: string): number => {
  const markers = [...accepted].filter((marker) => marker.startsWith(name));
  const took = markers
    .flatMap((marker) =>
      webhooks.map((webhook) => (ledger.takenAtMs(webhook, marker) ?? 0) - (handedAtMs.get(marker) ?? 0)),
    )
    .sort((a, b) => a - b);
  return took[Math.ceil(took.length * 0.95) - 1] ?? Number.NaN;
};
