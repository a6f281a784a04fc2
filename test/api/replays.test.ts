import { changed } from '../../src/shared/facts/changed.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { takeBatch } from '../../src/shared/replays/batch.ts';
import { startApi, type Outgoing, type TestAccount, type TestApi } from '../helpers/api.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aDelivery, manyDeliveries } from '../helpers/deliveries.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { movePlan, setRole } from '../helpers/states/accounts.ts';
import { activateWebhook, disableWebhook, removeWebhook } from '../helpers/states/webhooks.ts';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { endRound } from '../../src/shared/deliveries/rounds.ts';
import { deliveryWork } from '../../src/shared/deliveries/work.ts';
import { claimOverdue, countResume, renewLease } from '../../src/shared/platform/dispatch/overdue.ts';
import { advanceReplay, lockAnyReplay } from '../../src/shared/replays/queries.ts';
import { makeOverdue, skipToRound } from '../helpers/states/deliveries.ts';

let api: TestApi;
let account: TestAccount;
let webhookId: string;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  account = await api.createAccount();
  webhookId = await aWebhook();
  api.dispatched.length = 0;
});
afterAll(() => api.stop());

type Replay = {
  id: string;
  status: string;
  stop_reason: string | null;
  filter: { webhook_id: string | null; variants: string[]; status: string[]; since: string | null };
  pace: number;
  total: number;
  replayed: number;
};

const aWebhook = ({ variant = 'api' }: { variant?: 'api' | 'dashboard' } = {}, accountId = account.accountId) =>
  insertWebhook(api.deps, { accountId, variant, url: 'https://127.0.0.1/hook' });

const disable = (id: string) => disableWebhook(api.db, id);

const ofWebhook = (
  status: Parameters<typeof aDelivery>[1]['status'],
  id = webhookId,
  variant: 'api' | 'dashboard' = 'api',
) => aDelivery(api.db, { accountId: account.accountId, webhookId: id, status, variant });

const aTest = (status: Parameters<typeof aDelivery>[1]['status']) =>
  aDelivery(api.db, { accountId: account.accountId, webhookId, status, isTest: true });

const dashboard = <Body = Replay>(method: string, path: string, outgoing: Outgoing = {}) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session: account.session, ...outgoing });

const v1 = <Body = Replay>(method: string, path: string, outgoing: Outgoing = {}) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...outgoing });

const start = (body: object = {}) => dashboard('POST', '/replays', { body });
const change = (id: string, request: string) => dashboard('POST', `/replays/${id}/${request}`);
const rowOf = async (id: string) => {
  const [row] = await api.db`select * from deliveries where id = ${id}`;
  return row ?? {};
};

/** Ids made from now on are of a later time. */
const nextMillisecond = () => {
  const now = Date.now();
  return vi.waitUntil(() => Date.now() > now, { timeout: 60_000, interval: 1 });
};

/** One that ended in this status after six attempts, and a workflow that was lost and was looked after. */
const afterMuchTrouble = async (status: Parameters<typeof ofWebhook>[0]): Promise<string> => {
  const id = await ofWebhook('pending');
  const attempt = { outcome: 'failed', reason: 'reset', durationMs: 9, generation: 1, evidence: noEvidence } as const;
  const last = { deliveryId: id, round: 1, kind: 'scheduled', number: 6 } as const;
  await recordAttempt(api.db, last, { ...attempt, startedAt: new Date() });
  await makeOverdue(api.db, id);
  for (const item of await claimOverdue(api.db, [deliveryWork])) await countResume(api.db, item);
  await makeOverdue(api.db, id);
  await renewLease(api.db, await claimOverdue(api.db, [deliveryWork]));
  expect(await rowOf(id)).toMatchObject({ attemptsMade: 6, firstAttemptAt: expect.any(Date), resumes: 1, sweeps: 1 });
  await endRound(api.db, { deliveryId: id, round: 1 }, status);
  return id;
};

describe('one delivery', () => {
  const replay = (id: string) =>
    v1<{ status: string; round: number }>('POST', `/deliveries/${showId('delivery', id)}/replay`);

  test.each(['failed', 'dropped', 'parked', 'cancelled'] as const)(
    '%s begins a new round of the same bytes',
    async (status) => {
      const id = await afterMuchTrouble(status);
      const before = await rowOf(id);
      const answer = await replay(id);
      expect(answer).toMatchObject({
        status: 202,
        body: { status: 'pending', round: 2, attempts_made: 0, finished_at: null },
      });
      const after = await rowOf(id);
      expect(after).toMatchObject({
        body: before.body,
        resumes: 0,
        sweeps: 0,
        firstAttemptAt: null,
        nextAttemptAt: null,
      });
      expect(after.sweepAt).toBeInstanceOf(Date);
      expect(api.dispatched).toMatchObject([
        { work: { kind: 'delivery' }, row: { id, round: 2, resumes: 0, attemptsMade: 0 } },
      ]);
    },
  );

  test('each round says what began it: the event, a replay of this delivery, or which bulk replay', async () => {
    const id = await ofWebhook('failed');
    const end = (round: number) => endRound(api.db, { deliveryId: id, round }, 'failed');
    type Detail = { rounds: { begun_at: string }[] };
    const rounds = async () => (await v1<Detail>('GET', `/deliveries/${showId('delivery', id)}`)).body.rounds;
    expect(await rounds()).toEqual([{ round: 1, begun_by: 'event', replay_id: null, begun_at: expect.any(String) }]);
    await replay(id);
    await end(2);
    const { id: bulk } = (await start({ webhook_id: showId('webhook', webhookId) })).body;
    await api.deps.transact((tx) => takeBatch(tx, { replayId: readId('replay', bulk), resumes: 0, limit: 1 }));
    await end(3);
    // As a process of 0.2 begins one.
    await skipToRound(api.db, id, 4);
    const shown = await rounds();
    expect(shown).toMatchObject([
      { round: 1, begun_by: 'event' },
      { round: 2, begun_by: 'replay', replay_id: null },
      { round: 3, begun_by: 'bulk_replay', replay_id: bulk },
      { round: 4, begun_by: null, replay_id: null, begun_at: null },
    ]);
    const times = shown.slice(0, 3).map(({ begun_at }) => begun_at);
    expect(times).toEqual(times.toSorted());
  });

  test('a delivered one stays delivered while it is sent again', async () => {
    const id = await ofWebhook('delivered');
    expect((await replay(id)).body).toMatchObject({ status: 'delivered', round: 2 });
    expect((await replay(id)).status).toBe(409);
  });

  test.each(['pending', 'retrying'] as const)('%s is refused, and left as it is', async (status) => {
    const id = await ofWebhook(status);
    expect(await replay(id)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await rowOf(id)).toMatchObject({ status, round: 1 });
    expect(api.dispatched).toEqual([]);
  });

  test('is refused when its webhook is disabled or deleted, for a test event, and without the plan', async () => {
    const id = await ofWebhook('parked');
    await disable(webhookId);
    expect((await replay(id)).status).toBe(409);
    await removeWebhook(api.db, webhookId);
    expect((await replay(id)).status).toBe(409);
    const other = await ofWebhook('failed', await aWebhook());
    const test = await aTest('failed');
    await movePlan(api.db, account.accountId, 'free');
    expect(await replay(other)).toMatchObject({ status: 403, body: { error: { code: 'plan_required' } } });
    await movePlan(api.db, account.accountId, 'pro');
    expect((await replay(test)).status).toBe(409);
    expect(api.dispatched).toEqual([]);
  });

  test('/v1 reaches variant A only, the dashboard both, and nobody that of another account', async () => {
    const id = await ofWebhook('dropped', await aWebhook({ variant: 'dashboard' }), 'dashboard');
    expect((await replay(id)).status).toBe(404);
    const { session } = await api.createAccount();
    const path = `/deliveries/${showId('delivery', id)}/replay`;
    expect((await dashboard('POST', path, { session })).status).toBe(404);
    expect((await dashboard('POST', path)).status).toBe(202);
  });
});

describe('in bulk', () => {
  test('counts before, and starts with what matches then', async () => {
    await ofWebhook('delivered');
    for (const status of ['failed', 'parked', 'cancelled', 'retrying'] as const) await ofWebhook(status);
    await ofWebhook('failed', await aWebhook());
    await aTest('failed');
    const body = { webhook_id: showId('webhook', webhookId) };
    expect(await dashboard('POST', '/replays/preview', { body })).toMatchObject({
      status: 200,
      body: { count: 2, more: false },
    });
    expect((await dashboard('POST', '/replays/preview', { body: {} })).body).toEqual({
      count: 3,
      more: false,
    });
    expect(api.dispatched).toEqual([]);

    const { status, body: replay } = await start(body);
    expect({ status, replay }).toMatchObject({
      status: 202,
      replay: {
        status: 'running',
        stop_reason: null,
        pace: 20,
        total: 2,
        more_than_total: false,
        replayed: 0,
        skipped: 0,
        finished_at: null,
      },
    });
    expect(replay.filter).toEqual({
      webhook_id: body.webhook_id,
      variants: ['api'],
      status: ['dropped', 'failed', 'parked'],
      since: null,
      until: null,
      lost_since: null,
    });
    expect(api.dispatched).toMatchObject([
      { work: { kind: 'replay' }, row: { id: readId('replay', replay.id), resumes: 0 } },
    ]);
    expect((await dashboard('GET', `/replays/${replay.id}`)).body).toEqual(replay);
    expect((await dashboard('GET', '/replays')).body).toEqual({ data: [replay], next_cursor: null });
  });

  test('filters by time: since is part of it, until is not', async () => {
    for (const _ of [1, 2, 3]) {
      await ofWebhook('failed');
      await nextMillisecond();
    }
    const rows = await api.db<{ at: Date }[]>`
      select uuid_extract_timestamp(id) as at from deliveries where webhook_id = ${webhookId} order by id`;
    const [first, , last] = rows.map(({ at }) => at.toISOString());
    const count = async (body: object) =>
      (await dashboard<{ count: number }>('POST', '/replays/preview', { body })).body.count;
    expect(await count({ since: first, until: last })).toBe(2);
    expect(await count({ since: last })).toBe(1);
    expect(await count({ until: first })).toBe(0);
    expect(await count({ since: '0001-01-01T00:00:00Z' })).toBe(3);
  });

  test.each([
    { status: ['pending'] },
    { status: [] },
    { pace: 0 },
    { pace: 201 },
    { since: 'yesterday' },
    { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    { webhook: 'wh' },
  ])('refuses %j', async (body) => {
    expect((await start(body)).status).toBe(422);
    expect((await dashboard('POST', '/replays/preview', { body })).status).toBe(422);
  });

  test('one is open for a webhook and filter at a time, also when two ask at once', async () => {
    const answers = await Promise.all([start(), start({ status: ['parked', 'dropped', 'failed', 'failed'] })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
    expect((await start({ status: ['parked'] })).status).toBe(202);
    expect((await start({ webhook_id: showId('webhook', webhookId) })).status).toBe(202);
    const open = answers.find(({ status }) => status === 202)?.body.id ?? '';
    expect((await change(open, 'pause')).body.status).toBe('paused');
    expect((await start()).status).toBe(409);
    expect((await change(open, 'cancel')).body.status).toBe('cancelled');
    expect((await start()).status).toBe(202);
  });

  test('more than 10,000 are not counted, and a replay of them says so until it has finished', async () => {
    await manyDeliveries(api.db, { accountId: account.accountId, webhookId, status: 'failed', count: 10_001 });
    expect((await dashboard('POST', '/replays/preview', { body: {} })).body).toEqual({ count: 10_000, more: true });
    const { body: replay } = await start();
    expect(replay).toMatchObject({ total: 10_000, more_than_total: true });
    const id = readId('replay', replay.id);
    const advance = (step: { replayed: number; skipped: number; finished: boolean }) =>
      api.deps.transact(async ({ sql, tell }) => {
        const row = await lockAnyReplay(sql, id);
        if (row) await advanceReplay(sql, row, step);
        await tell(changed(account.accountId, 'replays'));
      });
    await advance({ replayed: 12_000, skipped: 345, finished: false });
    const read = async () => (await dashboard('GET', `/replays/${replay.id}`)).body;
    expect(await read()).toMatchObject({ total: 12_345, more_than_total: true });
    await advance({ replayed: 0, skipped: 0, finished: true });
    expect(await read()).toMatchObject({ total: 12_345, more_than_total: false });
  });

  test('five are open for an account, paused ones among them, also when ten are asked for at once', async () => {
    const startAt = (hour: number) => start({ since: `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z` });
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, hour) => startAt(hour)));
    expect(statuses(answers)).toEqual([202, 202, 202, 202, 202, 409, 409, 409, 409, 409]);
    expect(await startAt(10)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining('at most 5 running or paused replays') } },
    });
    expect((await start({})).status).toBe(409);

    const [open = ''] = answers.flatMap(({ status, body }) => (status === 202 ? [body.id] : []));
    expect((await change(open, 'pause')).status).toBe(200);
    expect((await startAt(11)).status).toBe(409);
    expect((await change(open, 'resume')).body.status).toBe('running');
    expect((await change(open, 'cancel')).status).toBe(200);
    expect(statuses(await Promise.all([startAt(12), startAt(13)]))).toEqual([202, 409]);
    const other = await api.createAccount();
    expect((await api.request('POST', '/v1/replays', { key: other.apiKey, body: {} })).status).toBe(202);
  });

  test('is paused, resumed in a workflow of its own, and cancelled; what is so already stays so', async () => {
    const { id } = (await start()).body;
    expect((await change(id, 'resume')).body.status).toBe('running');
    expect((await change(id, 'pause')).body.status).toBe('paused');
    expect((await change(id, 'pause')).body.status).toBe('paused');
    expect((await change(id, 'resume')).body.status).toBe('running');
    expect(api.dispatched.map(({ row }) => row.resumes)).toEqual([0, 1]);
    expect(await change(id, 'cancel')).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect((await change(id, 'cancel')).status).toBe(200);
    expect((await change(id, 'resume')).status).toBe(409);
    expect((await change(id, 'pause')).status).toBe(409);
    const [row] = await api.db`select sweep_at from replays where id = ${readId('replay', id)}`;
    expect(row).toEqual({ sweepAt: null });
  });

  test('a disabled webhook, a lapsed plan and an agent start and resume none', async () => {
    const body = { webhook_id: showId('webhook', webhookId) };
    const { id } = (await start(body)).body;
    await change(id, 'pause');
    await disable(webhookId);
    expect((await change(id, 'resume')).status).toBe(409);
    expect((await start({ ...body, status: ['failed'] })).status).toBe(409);
    await movePlan(api.db, account.accountId, 'free');
    expect((await start()).status).toBe(403);
    await setRole(api.db, account.userId, 'agent');
    expect(await start()).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await change(id, 'cancel')).status).toBe(403);
  });

  test('/v1 sees and replays variant A only', async () => {
    const b = await aWebhook({ variant: 'dashboard' });
    await ofWebhook('failed');
    await ofWebhook('dropped', b, 'dashboard');
    const onB = { webhook_id: showId('webhook', b) };
    expect((await v1('POST', '/replays', { body: onB })).status).toBe(404);
    expect((await v1('POST', '/replays/preview', { body: onB })).status).toBe(404);
    const ofA = await v1('POST', '/replays', { body: {} });
    expect(ofA.body).toMatchObject({ total: 1, filter: { variants: ['api'] } });
    const ofBoth = await start();
    expect(ofBoth).toMatchObject({ status: 202, body: { total: 2 } });
    const ofB = await start(onB);
    const listed = await v1<{ data: Replay[] }>('GET', '/replays');
    expect(listed.body.data.map(({ id }) => id)).toEqual([ofA.body.id]);
    for (const { id } of [ofBoth.body, ofB.body]) {
      expect((await v1('GET', `/replays/${id}`)).status).toBe(404);
      expect((await v1('POST', `/replays/${id}/cancel`)).status).toBe(404);
    }
  });

  test("another account's are not there", async () => {
    const { id } = (await start()).body;
    const { session, accountId } = await api.createAccount();
    expect((await dashboard('GET', `/replays/${id}`, { session })).status).toBe(404);
    expect((await dashboard('POST', `/replays/${id}/cancel`, { session })).status).toBe(404);
    expect((await dashboard('GET', '/replays', { session })).body).toEqual({ data: [], next_cursor: null });
    const foreign = { webhook_id: showId('webhook', await aWebhook({}, accountId)) };
    expect((await start(foreign)).status).toBe(404);
  });

  test('the same request with the same key starts one', async () => {
    const headers = { 'idempotency-key': newUuid() };
    const first = await dashboard('POST', '/replays', { body: {}, headers });
    const second = await dashboard('POST', '/replays', { body: {}, headers });
    expect(second).toMatchObject({ status: 202, body: first.body });
    expect(api.dispatched).toHaveLength(1);
  });
});

describe('with a re-enabling', () => {
  type ReEnabled = { status: string; replay: Replay | null; replay_found: object | null };

  /** A disabled webhook of variant A towards a receiver, with two parked deliveries. */
  const aDisabledWebhook = async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { body: webhook } = await v1<{ id: string }>('POST', '/webhooks', {
      body: { url: receiver.url('/hook'), events: ['*'], secret: 'a secret' },
    });
    const id = readId('webhook', webhook.id);
    await disable(id);
    await ofWebhook('failed', id);
    await ofWebhook('parked', id);
    await nextMillisecond();
    const last = await ofWebhook('parked', id);
    const [row] = await api.db<{ at: Date }[]>`select uuid_extract_timestamp(${last}::uuid) as at`;
    const since = row?.at.toISOString();
    const reEnable = (body?: object, headers: Record<string, string> = {}) =>
      dashboard<ReEnabled>('POST', `/webhooks/${webhook.id}/re-enable`, { headers, ...(body && { body }) });
    return { id, receiver, since, reEnable };
  };

  test.each([undefined, {}, { replay: { type: 'none' } }])('%j replays nothing', async (body) => {
    const { reEnable } = await aDisabledWebhook();
    expect(await reEnable(body)).toMatchObject({ status: 200, body: { status: 'active', replay: null } });
    expect(api.dispatched).toEqual([]);
  });

  test('all that is parked or has failed, or what was parked since a time', async () => {
    const one = await aDisabledWebhook();
    const all = await one.reEnable({ replay: { type: 'all' } });
    expect(all.body).toMatchObject({
      status: 'active',
      replay: { status: 'running', total: 3 },
      replay_found: { parked: 2, failed: 1, dropped: 0 },
    });
    const { filter } = all.body.replay ?? {};
    expect(filter).toMatchObject({
      webhook_id: showId('webhook', one.id),
      status: ['dropped', 'failed', 'parked'],
      since: null,
    });
    expect(api.dispatched).toMatchObject([{ work: { kind: 'replay' }, row: { webhookId: one.id } }]);

    const { reEnable, since } = await aDisabledWebhook();
    const some = await reEnable({ replay: { type: 'since', since } });
    expect(some.body).toMatchObject({
      replay: { total: 1, filter: { since, status: ['parked'] } },
      replay_found: { parked: 1, failed: 0, dropped: 0 },
    });
  });

  test('all leaves out what had failed before the last success of its webhook', async () => {
    const { id, reEnable } = await aDisabledWebhook();
    await ofWebhook('delivered', id);
    const last = await ofWebhook('failed', id);
    const { body } = await reEnable({ replay: { type: 'all' } });
    expect(body.replay_found).toEqual({ parked: 2, failed: 1, dropped: 0 });
    const batch = { replayId: readId('replay', body.replay?.id ?? ''), resumes: 0, limit: 10 };
    expect(await api.deps.transact((tx) => takeBatch(tx, batch))).toMatchObject({ replayed: 3, type: 'finished' });
    expect(
      await api.db`select id from deliveries where webhook_id = ${id} and round = 2 and status = 'pending'`,
    ).toContainEqual({ id: last });
  });

  test('takes with it what an earlier one of all, stopped when the webhook was disabled again, has not come to', async () => {
    const { id, reEnable } = await aDisabledWebhook();
    await reEnable({ replay: { type: 'all' } });
    await ofWebhook('delivered', id);
    await disable(id);
    const { body } = await reEnable({ replay: { type: 'all' } });
    expect(body.replay_found).toEqual({ parked: 2, failed: 1, dropped: 0 });
  });

  test('leaves a replay of everything that its owner has open as it is', async () => {
    const { id, reEnable } = await aDisabledWebhook();
    await activateWebhook(api.db, id);
    const own = await start({ webhook_id: showId('webhook', id) });
    await disable(id);
    const { body } = await reEnable({ replay: { type: 'all' } });
    expect(body.replay?.status).toBe('running');
    expect((await dashboard('GET', `/replays/${own.body.id}`)).body.status).toBe('running');
  });

  test('takes the place of the one that stopped when the webhook was disabled again', async () => {
    const { id, reEnable } = await aDisabledWebhook();
    const first = await reEnable({ replay: { type: 'all' } });
    await disable(id);
    const second = await reEnable({ replay: { type: 'all' } });
    expect(second.body.replay?.status).toBe('running');
    const before = await dashboard('GET', `/replays/${first.body.replay?.id}`);
    expect(before.body.status).toBe('cancelled');
  });

  test('one that fails its health check stays disabled, and nothing is replayed', async () => {
    const { receiver, reEnable } = await aDisabledWebhook();
    receiver.respondWith(500);
    const answer = await reEnable({ replay: { type: 'all' } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'disabled', replay: null } });
    expect(api.dispatched).toEqual([]);
  });

  test('while the plan is lapsed it is refused before anything is sent', async () => {
    const { id, receiver, reEnable } = await aDisabledWebhook();
    await movePlan(api.db, account.accountId, 'free');
    expect(await reEnable({ replay: { type: 'all' } })).toMatchObject({
      status: 403,
      body: { error: { code: 'plan_required' } },
    });
    expect(receiver.requests).toEqual([]);
    expect(await api.db`select 1 from webhooks where id = ${id} and status = 'disabled'`).toHaveLength(1);
  });

  test('and its replay are one: when that cannot be written the webhook stays disabled, and the same key may be used again', async () => {
    const { id, reEnable } = await aDisabledWebhook();
    const headers = { 'idempotency-key': newUuid() };
    const asked = { replay: { type: 'all' } };
    await api.db.unsafe(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
      create trigger refuse before insert on replays for each row execute function refuse()`);
    const failed = await reEnable(asked, headers);
    await api.db`drop function refuse() cascade`;
    expect(failed.status).toBe(500);
    expect(await api.db`select 1 from webhooks where id = ${id} and status = 'disabled'`).toHaveLength(1);
    expect(await reEnable(asked, headers)).toMatchObject({ body: { status: 'active', replay: { status: 'running' } } });
  });

  test('asked for twice at the same time begins one replay, and the other finds the webhook active', async () => {
    const { id, receiver, reEnable } = await aDisabledWebhook();
    const waiting: (() => void)[] = [];
    receiver.respondWith(async () => {
      await new Promise<void>((go) => waiting.push(go));
      return 200;
    });
    const asked = [reEnable({ replay: { type: 'all' } }), reEnable({ replay: { type: 'all' } })];
    await vi.waitUntil(() => waiting.length === 2, { timeout: 60_000 });
    for (const go of waiting) go();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'active'],
      [200, 'active'],
    ]);
    expect(answers.filter(({ body }) => body.replay !== null)).toHaveLength(1);
    expect(await api.db`select status from replays where webhook_id = ${id}`).toEqual([{ status: 'running' }]);
  });

  test.each([
    { replay: 'all' },
    { replay: { type: 'since' } },
    { replay: { type: 'all', since: 'now' } },
    { all: true },
  ])('refuses %j, and asks nobody', async (body) => {
    const { receiver, reEnable } = await aDisabledWebhook();
    expect((await reEnable(body)).status).toBe(422);
    expect(receiver.requests).toEqual([]);
  });
});
