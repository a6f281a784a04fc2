import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { replayDelivery } from '../../src/shared/deliveries/replay.ts';
import { showId } from '../../src/shared/ids.ts';
import { startApi, type TestAccount, type TestApi } from '../helpers/api.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startLiveApi, type LiveApi } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { retireWebhooks } from '../helpers/states/webhooks.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { makeDue } from '../helpers/states/deliveries.ts';

type Delivery = { id: string; status: string; error?: { code: string; message: string } };

describe('of a delivery that a workflow carries', () => {
  let live: LiveApi;
  let world: LiveApi['world'];
  let receiver: Receiver;

  beforeAll(async () => {
    live = await startLiveApi({ eager: false });
    ({ world } = live);
  });
  afterAll(() => live.stop());
  beforeEach(async () => {
    live.linkApi(true);
    await retireWebhooks(world.db);
    receiver = await startReceiver({ respond: 500 });
  });
  afterEach(() => receiver.close());

  const ask = (what: 'retry' | 'cancel', uuid: string) =>
    live.api.request<Delivery>('POST', `/v1/deliveries/${showId('delivery', uuid)}/${what}`, { key: live.key });

  const handleOf = (uuid: string, rest = '') =>
    live.temporal.client.workflow.getHandle(`delivery/${showId('delivery', uuid)}${rest}`);

  /** A delivery of variant A that has failed once and sleeps towards its first retry. */
  const aSleeper = async () => {
    await world.aWebhook({ url: receiver.url() });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await world.firstAttempt(id);
    return id;
  };

  test('retry makes an extra attempt at once, and its success ends the delivery', async () => {
    const id = await aSleeper();
    receiver.respondWith(200);
    expect(await ask('retry', id)).toMatchObject({
      status: 202,
      body: { id: showId('delivery', id), status: 'retrying' },
    });
    expect(await handleOf(id).result()).toMatchObject({ status: 'delivered' });
    expect(await world.attempts(id)).toMatchObject([{ kind: 'scheduled' }, { kind: 'manual', outcome: 'succeeded' }]);
    expect(await ask('retry', id)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  test('cancel ends it and its workflow, unsent, and may be asked again', async () => {
    const id = await aSleeper();
    expect(await ask('cancel', id)).toMatchObject({ status: 202, body: { status: 'cancelled' } });
    expect(await handleOf(id).result()).toMatchObject({ status: 'cancelled' });
    expect(await ask('cancel', id)).toMatchObject({ status: 202, body: { status: 'cancelled' } });
    expect(await world.delivery(id)).toMatchObject({ status: 'cancelled', nextAttemptAt: null, sweepAt: null });
    expect(receiver.requests).toHaveLength(1);
  });

  test('while Temporal is away cancel holds all the same, and retry says so and asks nothing', async () => {
    const id = await aSleeper();
    live.linkApi(false);
    expect(await ask('retry', id)).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(await ask('cancel', id)).toMatchObject({ status: 202, body: { status: 'cancelled' } });
    // The workflow still sleeps: woken, it finds what the database says and sends nothing.
    await handleOf(id).signal('retryNow');
    expect(await handleOf(id).result()).toMatchObject({ status: 'cancelled' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('when its workflow is lost, retry has the sweep start another, which then hears it; nothing is doubled', async () => {
    const id = await aSleeper();
    await handleOf(id).terminate();
    receiver.respondWith(200);
    expect(await ask('retry', id)).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringMatching(/lost/) } },
    });
    expect(await world.sweep()).toBe(1);
    await vi.waitFor(async () => expect((await ask('retry', id)).status).toBe(202), 60_000);
    expect(await handleOf(id, '/resume/1').result()).toMatchObject({ status: 'delivered' });
    expect(receiver.requests).toHaveLength(2);
  });

  test('when its workflow is lost, cancel ends it and the sweep starts nothing', async () => {
    const id = await aSleeper();
    await handleOf(id).terminate();
    expect((await ask('cancel', id)).body.status).toBe('cancelled');
    expect(await world.sweep()).toBe(0);
  });

  test("a round has at most twenty extra attempts, however many ask at once; an operator's own signal goes beyond", async () => {
    const id = await aSleeper();
    live.linkApi(false);
    // What nobody heard is not counted.
    expect((await Promise.all(Array.from({ length: 21 }, () => ask('retry', id)))).map(({ status }) => status)).toEqual(
      Array.from({ length: 21 }, () => 503),
    );
    live.linkApi(true);
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask('retry', id)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body.error).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/20 extra attempts/),
    });

    receiver.respondWith(200);
    await handleOf(id).signal('retryNow');
    expect(await handleOf(id).result()).toMatchObject({ status: 'delivered' });
    await world.transact((tx) => replayDelivery(tx, { accountId: world.accountId, variants: ['api'] }, id));
    const [row] = await world.db`select manual_attempts_asked as asked from deliveries where id = ${id}`;
    expect(row).toEqual({ asked: 0 });
  });

  test('while a retry of the ladder is under way, retry is refused and says so', async () => {
    const id = await aSleeper();
    await handleOf(id).terminate();
    const answered = Promise.withResolvers<200>();
    receiver.respondWith(() => answered.promise);
    // Its time has come: the workflow that goes on with it makes attempt 2 at once.
    await makeDue(world.db, id);
    expect(await world.sweep()).toBe(1);
    await receiver.waitFor(2);
    expect(await ask('retry', id)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringMatching(/under way/) } },
    });
    answered.resolve(200);
    expect(await handleOf(id, '/resume/1').result()).toMatchObject({ status: 'delivered' });
    expect(await world.attempts(id)).toMatchObject([{ number: 1 }, { kind: 'scheduled', number: 2 }]);
  });
});

describe('of a delivery that no workflow carries', () => {
  let api: TestApi;
  let account: TestAccount;
  beforeAll(async () => {
    api = await startApi();
    account = await api.createAccount();
  });
  afterAll(() => api.stop());

  const stored = async (fields: Partial<Parameters<typeof aDelivery>[1]>) =>
    showId(
      'delivery',
      await aDelivery(api.db, {
        accountId: account.accountId,
        webhookId: crypto.randomUUID(),
        status: 'parked',
        ...fields,
      }),
    );
  const ask = (id: string, what: 'retry' | 'cancel', key = account.apiKey) =>
    api.request<Delivery>('POST', `/v1/deliveries/${id}/${what}`, { key });

  test.each(['delivered', 'failed', 'dropped'] as const)(
    'one that is %s is neither retried nor cancelled',
    async (status) => {
      const id = await stored({ status });
      expect((await ask(id, 'retry')).status).toBe(409);
      expect((await ask(id, 'cancel')).status).toBe(409);
    },
  );

  test('a parked one is cancelled, and for a retry it says to replay it', async () => {
    const id = await stored({ status: 'parked' });
    expect(await ask(id, 'retry')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringMatching(/parked.*replay/) } },
    });
    expect(await ask(id, 'cancel')).toMatchObject({ status: 202, body: { status: 'cancelled' } });
  });

  test("another account's is 404, as is variant B's behind /v1; the dashboard reaches both, but not its agents", async () => {
    const [own, ofB] = [await stored({}), await stored({ variant: 'dashboard' })];
    expect((await ask(own, 'cancel', (await api.createAccount()).apiKey)).status).toBe(404);
    expect((await ask(ofB, 'cancel')).status).toBe(404);
    const inDashboard = () =>
      api.request('POST', `/dashboard/api/deliveries/${ofB}/cancel`, { session: account.session });
    await setRole(api.db, account.userId, 'agent');
    expect((await inDashboard()).status).toBe(403);
    await setRole(api.db, account.userId, 'owner');
    expect(await inDashboard()).toMatchObject({ status: 202, body: { status: 'cancelled' } });
  });
});
