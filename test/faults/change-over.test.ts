import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { suiteMode } from '../helpers/suite-mode.ts';
import { isShown } from './in-modes.ts';
import { useInstallation } from './installed.ts';
import { takeAfter, type Ledger } from './ledger.ts';
import { createOutlet } from './outlet.ts';
import { report } from './report.ts';
import { expectNoneAgain, p95Ms, type Site } from './site.ts';
import { countUnrecorded } from './unrecorded.ts';
import { createWalks } from './walks.ts';
import { patienceMs } from './patience.ts';

/** Ten minutes are the whole proof; without FAULT_AWAY_SECONDS as long as CI has the time for. */
const awaySeconds = Number(process.env['FAULT_AWAY_SECONDS'] || 15);
const perSecond = 10;
/** What waits for Temporal's return may take so long beside other work: where each needs a workflow, 60 ms of a machine for each. */
const backlogMs = 2 * perSecond * awaySeconds * 60;
const limitMs = 2 * patienceMs + awaySeconds * 1_000 + backlogMs;

/** The most starts that a process has under way: it does not know what came of them when Temporal dies. */
const startsAtOnce = 64;

describe('first attempts while Temporal comes and goes', () => {
  const { installed, aSite } = useInstallation();

  const waiting = { timeout: patienceMs, interval: 20 };

  /** How many of the site's deliveries succeeded by each way. */
  const countWays = async ({ accountId }: Site) => {
    const [row] = await installed().db<[{ straight: number; byWorkflow: number }]>`
      select count(*) filter (where without_workflow)::int as straight, count(*) filter (where not without_workflow)::int as by_workflow
      from deliveries where account_id = ${accountId} and status = 'delivered'`;
    return row;
  };
  /** Resolves when so many more went this way and POSTs are under way. */
  const untilMore = async (site: Site, way: 'straight' | 'byWorkflow', more = 10): Promise<void> => {
    const before = (await countWays(site))[way];
    const moved = async () => (await countWays(site))[way] >= before + more && site.ledger.underWay() > 0;
    await vi.waitUntil(moved, waiting);
  };

  if (isShown('changeOver'))
    test('SIGKILL while they go over to the outbox, and back to workflows: only what has no record is sent again', async () => {
      const { service, temporal } = installed();
      const site = await aSite({ respond: takeAfter(300) });
      const { ledger } = site;
      const over = new AbortController();
      onTestFinished(() => over.abort());
      const loaded = site.load({ perSecond: 8, seconds: 600, signal: over.signal });
      let unrecorded = 0;
      let life: Ledger['posts'] = [];
      const kill = async (): Promise<void> => {
        await service.kill();
        await vi.waitUntil(() => ledger.underWay() === 0, waiting);
        const sent = ledger.posts.slice(life.length);
        life = [...ledger.posts];
        unrecorded += await countUnrecorded(installed(), sent);
      };

      await untilMore(site, 'byWorkflow');
      await temporal.kill();
      await untilMore(site, 'straight');
      await kill();
      await temporal.start();
      await service.start();

      await untilMore(site, 'byWorkflow');
      await temporal.kill();
      await untilMore(site, 'straight');
      await temporal.start();
      await untilMore(site, 'byWorkflow');
      await kill();
      const sinceMs = await service.start();
      over.abort();
      await loaded;
      const { straight } = await countWays(site);
      const tally = await site.settle();
      expect(tally.sentAgain).toBeLessThanOrEqual(unrecorded);
      await report('changeOver', tally, { sinceMs, note: `${straight} went straight` });
    });

  /** Resolves when all is delivered that can be without Temporal; answers what that was. */
  const untilGone = async (site: Site): Promise<string> => {
    const lost = () => site.ledger.tally(site.accepted, site.webhooks).lost;
    if (suiteMode === 'always') {
      expect(site.ledger.posts).toEqual([]);
      return 'nothing goes out meanwhile';
    }
    // What was asked of Temporal as it died is in doubt, and waits for it.
    await vi.waitUntil(() => lost() <= (suiteMode === 'on-failure' ? 0 : startsAtOnce), waiting);
    return `p95 meanwhile ${p95Ms(site, 'load')} ms, but for ${lost()} in doubt`;
  };

  if (isShown('temporalAway'))
    test(
      'Temporal, away for long: healthy deliveries go on, but where each needs a workflow, and when it is back an overdue attempt is made at once',
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
        expect([outlet.posts.length, walks.told.length, ill.ledger.posts.length]).toEqual([0, 0, 1]);

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
