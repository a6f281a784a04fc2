import { describe, expect, test } from 'vitest';
import { readId, showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { byTheClock } from '../helpers/by-the-clock.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { completeAll, haveCausedMany, haveManyBegun } from '../helpers/states/runs.ts';

const api = await useApi();

type Run = { id: string; origin_run_id: string | null; loop_guard: { not_begun: number; last_at: string } | null };

const silent = { id: 'forget', type: 'clear_field', field: 'first_name' };

/** An account with a flow that the tag "called" starts, and its first run, which has made so many others already. */
const withRun = async ({ caused = 0 } = {}) => {
  const { apiKey: key, accountId } = await api.createAccount();
  const call = <Body>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    api.request<Body & { error: { code: string; message: string } }>(method, `/v1${path}`, {
      key,
      headers,
      ...(body && { body }),
    });
  const aContact = async () => (await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' })).body.id;
  const triggers = [{ type: 'tag_applied', tag: 'called' }];
  const flowId = await aFlow(api.db, accountId, { blocks: [silent], triggers });
  const enrol = async (headers = {}) =>
    call<{ id: string }>('POST', `/contacts/${await aContact()}/flows`, { flow_id: showId('flow', flowId) }, headers);
  const { id } = (await enrol()).body;
  if (caused > 0) await haveCausedMany(api.db, readId('run', id), caused);
  return {
    accountId,
    flowId,
    first: id,
    call,
    aContact,
    enrol,
    /** What its External Requests say of the run. */
    headersOf: (run: string, visit = 1) => ({ 'idempotency-key': `${run}:call:${visit}` }),
    run: async (run: string) => (await call<Run>('GET', `/runs/${run}`)).body,
    runsOf: async (contact: string) => (await call<{ data: Run[] }>('GET', `/runs?contact_id=${contact}`)).body.data,
  };
};

describe('a run that has caused 999 others by its External Requests', () => {
  test('causes one more by tagging, and shows those that were not begun', byTheClock, async () => {
    const { first, call, aContact, headersOf, run, runsOf } = await withRun({ caused: 999 });
    expect(await run(first)).toMatchObject({ origin_run_id: null, loop_guard: null });
    const [one, other] = [await aContact(), await aContact()];
    await call('PUT', `/contacts/${one}/tags/called`, undefined, headersOf(first));
    const [last] = await runsOf(one);
    expect(await run(last?.id ?? '')).toMatchObject({ origin_run_id: first, loop_guard: null });
    // What that run causes counts for the first one.
    const tagged = await call('PUT', `/contacts/${other}/tags/called`, undefined, headersOf(last?.id ?? ''));
    expect(tagged.status).toBe(200);
    expect(await runsOf(other)).toEqual([]);
    expect((await run(first)).loop_guard).toEqual({ not_begun: 1, last_at: expect.any(String) });
  });

  test('is refused another enrollment with 409, which is counted and keeps no key', byTheClock, async () => {
    const { first, enrol, headersOf, run } = await withRun({ caused: 999 });
    expect((await enrol(headersOf(first, 1))).status).toBe(201);
    for (const count of [1, 2]) {
      const refused = await enrol(headersOf(first, 2));
      expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
      expect(refused.body.error.message).toContain(first);
      expect(await run(first)).toMatchObject({ loop_guard: { not_begun: count } });
    }
  });
});

describe('an account with 10,000 runs that have not begun their first step', () => {
  /** How Parley finds out: every hundredth new run has them counted. */
  const untilFull = async ({ flowId, enrol }: Awaited<ReturnType<typeof withRun>>) => {
    await haveManyBegun(api.db, flowId, 10_000);
    for (let enrolled = 0; enrolled < 2_000; enrolled += 1) {
      const answer = await enrol();
      if (answer.status !== 201) return answer;
    }
    return expect.fail('2,000 more were begun');
  };

  test('is told to enroll again later, may tag later, and its messages are taken', async () => {
    const world = await withRun();
    const { accountId, call, aContact, runsOf, enrol } = world;
    expect(await untilFull(world)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: { error: { code: 'rate_limited', message: expect.stringContaining('10,000') } },
    });

    const contact = await aContact();
    expect((await call('PUT', `/contacts/${contact}/tags/called`)).status).toBe(429);
    expect((await call<{ tags: string[] }>('GET', `/contacts/${contact}`)).body.tags).toEqual([]);

    await aFlow(api.db, accountId, { blocks: [silent], triggers: [{ type: 'default_reply' }] });
    const channel = (await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
    const message = { message_id: 'm1', sender: { external_id: 's1' }, text: 'hello' };
    const received = await call<{ contact_id: string }>('POST', `/channels/${channel}/inbound`, message);
    expect(received.status).toBeLessThan(300);
    expect(await runsOf(received.body.contact_id)).toHaveLength(1);

    await completeAll(api.db, accountId);
    await expect.poll(async () => (await enrol()).status, { timeout: 60_000 }).toBe(201);
    expect((await call('PUT', `/contacts/${contact}/tags/called`)).status).toBe(200);
  });
});
