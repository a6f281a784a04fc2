import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isShown } from './in-modes.ts';
import { useInstallation } from './installed.ts';
import { createOutlet } from './outlet.ts';
import { report } from './report.ts';
import { expectNoneAgain, p95Ms, type Site } from './site.ts';
import { createWalks } from './walks.ts';
import { patienceMs } from './patience.ts';

/** Ten minutes are the whole proof; without FAULT_AWAY_SECONDS as long as CI has the time for. */
const awaySeconds = Number(process.env['FAULT_AWAY_SECONDS'] || 15);
const perSecond = 10;
/** What waits for Temporal's return may take so long beside other work: where each needs a workflow, 60 ms of a machine for each. */
const backlogMs = 2 * perSecond * awaySeconds * 60;
const limitMs = 2 * patienceMs + awaySeconds * 1_000 + backlogMs;

describe('first attempts while Temporal is away', () => {
  const { installed, aSite } = useInstallation();

  const waiting = { timeout: patienceMs, interval: 20 };

  /** Resolves when all is delivered, without Temporal; answers how fast that was. */
  const untilGone = async (site: Site): Promise<string> => {
    const lost = () => site.ledger.tally(site.accepted, site.webhooks).lost;
    await vi.waitUntil(() => lost() === 0, waiting);
    return `p95 meanwhile ${p95Ms(site, 'load')} ms`;
  };

  if (isShown('temporalAway'))
    test(
      'Temporal, away for long: deliveries and talking flows go on, and an overdue attempt is made at once after it',
      async () => {
        const { db, temporal } = installed();
        const [healthy, ill] = [await aSite({ webhooks: 2 }), await aSite({ respond: () => 500 })];
        const outlet = await createOutlet(installed(), () => 200);
        const course = {
          blocks: () => [{ id: 'tell', type: 'send', messages: [{ text: 'told' }] }],
          steps: ['tell: default'],
          fields: {},
          messages: ['told'],
        };
        const walks = await createWalks(installed(), { courses: { go: course } });
        onTestFinished(async () => void (await Promise.all([outlet.close(), walks.close()])));
        await ill.handUntilAccepted('m-1');
        const readIll = async () => {
          const [row] = await db<{ attempts: number; delayMs: number }[]>`
        select d.attempts_made as attempts, extract(epoch from d.next_attempt_at - (select max(started_at) from attempts where delivery_id = d.id))::float8 * 1000 as delay_ms
        from deliveries d where account_id = ${ill.accountId}`;
          return row;
        };
        await vi.waitUntil(async () => (await readIll())?.attempts === 1, waiting);

        await temporal.kill();
        const loaded = healthy.load({ perSecond, seconds: awaySeconds });
        await outlet.send('one');
        await walks.say(['ada'], 'go');
        await loaded;
        const meanwhile = await untilGone(healthy);
        await vi.waitUntil(() => outlet.posts.length === 1 && walks.told.length === 1, waiting);
        expect(ill.ledger.posts.length).toBe(1);

        const sinceMs = Date.now();
        await temporal.start();
        await vi.waitUntil(async () => (await readIll())?.attempts === 2, waiting);
        const overdueMs = (ill.ledger.posts[1]?.atMs ?? Number.NaN) - sinceMs;
        expect(overdueMs).toBeLessThan(120_000);
        const delayMs = (await readIll())?.delayMs ?? Number.NaN;
        expect(delayMs).toBeGreaterThanOrEqual(60_000);
        expect(delayMs).toBeLessThan(120_000);
        await outlet.settle();
        await walks.settle();
        const tally = await healthy.settle(patienceMs + backlogMs);
        expect(tally.accepted).toBe(2 * perSecond * awaySeconds);
        await expectNoneAgain(healthy, tally);
        const note = `away for ${awaySeconds} s; ${meanwhile}; the overdue attempt ${(overdueMs / 1_000).toFixed(1)} s after it was back`;
        await report('temporalAway', tally, { sinceMs, note, backlogSeconds: backlogMs / 1_000 });
      },
      limitMs,
    );
});
