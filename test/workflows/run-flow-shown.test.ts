import { afterAll, expect, test, vi } from 'vitest';
import { leaveOrigin } from '../../src/shared/external-requests/breaker.ts';
import { showId } from '../../src/shared/ids.ts';
import { withFlows } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { useLiveWorld } from '../helpers/live-world.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { shownOf } from '../helpers/temporal.ts';

const live = await useLiveWorld();
const flows = await withFlows(live.world);
const shop = await startReceiver({
  respond: ({ path }) => {
    if (path === '/hanging') return { type: 'hang' };
    if (path === '/down') return 503;
    if (path === '/refusing') return { type: 'respond', body: '{"ok": false}' };
    return path === '/busy' ? { type: 'respond', status: 503, headers: { 'retry-after': '60' } } : 404;
  },
});
afterAll(() => shop.close());

const call = (path: string) => () => ({
  id: 'stock',
  type: 'external_request',
  method: 'GET',
  url: shop.url(path),
  timeout_ms: 60_000,
});
const utc = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC';

test.each([
  {
    run: 'that asks',
    block: () => ({ id: 'size', type: 'ask', prompt: 'Which size?' }),
    details: `\\*\\*size: waits for a reply until ${utc}\\*\\*, since ${utc}\\.`,
    last: `size: waits for a reply until ${utc}`,
  },
  {
    run: 'that pauses',
    block: () => ({ id: 'nap', type: 'delay', for: 'P3D' }),
    details: `\\*\\*nap: waits until ${utc}\\*\\*, since ${utc}\\.`,
    last: `nap: waits until ${utc}`,
  },
  {
    run: 'that calls',
    block: call('/hanging'),
    details: `\\*\\*stock: request\\*\\*, since ${utc}\\.`,
    last: 'stock: request',
  },
  {
    run: 'that waits until it calls again',
    block: call('/busy'),
    details: `\\*\\*stock: HTTP 503; next attempt in 60 s\\*\\*, at ${utc}\\.`,
    last: 'stock: HTTP 503; next attempt in 60 s',
    failed: ['attempt 1: HTTP 503'],
  },
  {
    run: 'that waits for a service that is down',
    block: async () => {
      const url = shop.url('/', 'localhost');
      const origin = { accountId: flows.accountId, origin: new URL(url).origin };
      const refused = { type: 'failed', reason: 'connect', requestSent: false } as const;
      for (let failures = 0; failures < 10; failures += 1)
        await leaveOrigin(flows.db, origin, { outcome: refused, isProbe: false });
      return { ...call('/')(), url };
    },
    details: `\\*\\*stock: the service is down, so requests to it pause; next attempt in [.\\d]+ s\\*\\*, at ${utc}\\.`,
    last: 'stock: the service is down, so requests to it pause; next attempt in [.\\d]+ s',
  },
  {
    run: 'whose call has failed',
    block: call('/missing'),
    details: '\\*\\*failed\\*\\* at stock: gave up after 1 attempt, HTTP 404\\.',
    last: 'stock: request',
    failed: ['attempt 1: HTTP 404'],
  },
  {
    run: 'whose response fails a rule of success_when',
    block: () => ({ ...call('/refusing')(), success_when: { rules: [{ path: '$.ok', op: 'is', value: true }] } }),
    details: '\\*\\*failed\\*\\* at stock: gave up after 1 attempt, rule 1 of success_when did not hold\\.',
    last: 'stock: request',
    failed: ['attempt 1: rule 1 of success_when did not hold'],
  },
  {
    run: 'whose call is given up after a retry',
    block: () => ({ ...call('/down')(), attempts: 2 }),
    details: '\\*\\*failed\\*\\* at stock: gave up after 2 attempts, HTTP 503\\.',
    last: 'stock: request',
    failed: ['attempt 1: HTTP 503', 'attempt 2: HTTP 503'],
  },
  {
    run: 'that goes on after a call that is given up',
    block: () => [
      { ...call('/missing')(), next: { error: 'size' } },
      { id: 'size', type: 'clear_field', field: 'language' },
    ],
    details: '\\*\\*completed\\*\\*; stock: gave up after 1 attempt, HTTP 404\\.',
    last: 'stock: request',
    failed: ['attempt 1: HTTP 404'],
  },
])(
  "Temporal's UI says of a run $run at which block it is and why",
  async ({ run, block, details, last, failed = [] }) => {
    const { contactId } = await flows.says(run, 'hello');
    const flowId = await aFlow(flows.db, flows.accountId, { blocks: [await block()].flat() });
    const runId = await flows.enrol(contactId, flowId);
    await vi.waitFor(
      async () => {
        const shown = await shownOf(live.temporal.client, `run/${showId('run', runId)}`);
        expect(shown.details).toMatch(new RegExp(`^${details}$`));
        expect(shown.summaries.at(-1)).toMatch(new RegExp(`^${last}$`));
        expect(shown.failures).toMatchObject(failed.map((message) => ({ message, final: true, category: 1 })));
        expect(shown.failures).toHaveLength(failed.length);
      },
      { timeout: 60_000, interval: 50 },
    );
  },
);
