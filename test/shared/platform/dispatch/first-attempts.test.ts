import { expect, onTestFinished, test, vi } from 'vitest';
import { createFirstAttempts } from '../../../../src/shared/platform/dispatch/first-attempts.ts';

const impatient = { patienceMs: 5 };

/** A webhook of an account that has no other. */
const alone = (name: string) => ({ accountId: name, key: name });

test('a webhook that holds its share leaves the places of the others alone', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 2, total: 7 });
  expect(await Promise.all(['a1', 'a2', 'a3'].map((id) => places.take(id, alone('a'))))).toEqual([
    'local',
    'local',
    'ordinary',
  ]);
  expect(await Promise.all(['b1', 'b2', 'b3'].map((id) => places.take(id, alone('b'))))).toEqual([
    'local',
    'local',
    'ordinary',
  ]);
  places.release('a1');
  expect(await places.take('a4', alone('a'))).toBe('local');
});

test('all webhooks together get no more than the process can hold', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 10, total: 3 });
  const taken = await Promise.all(['a', 'b', 'c', 'd'].map((id) => places.take(id, alone(id))));
  expect(taken).toEqual(['local', 'local', 'local', 'ordinary']);
});

test('a delivery waits for the place that another gives back, in turn', async () => {
  const places = createFirstAttempts({ perKey: 1, total: 10, patienceMs: 10_000 });
  await places.take('a1', alone('a'));
  await places.take('b1', alone('b'));
  const order: string[] = [];
  const waiting = ['a2', 'a3', 'b2'].map(async (id) => {
    expect(await places.take(id, alone(id.slice(0, 1)))).toBe('local');
    order.push(id);
    places.release(id);
  });
  places.release('b1');
  places.release('a1');
  await Promise.all(waiting);
  expect(order.filter((id) => id.startsWith('a'))).toEqual(['a2', 'a3']);
  expect(order).toContain('b2');
});

test('a delivery waits on while the places of its webhook come free soon, and not while they are held for long', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const places = createFirstAttempts({ perKey: 1, total: 10, patienceMs: 3_000 });
  const holdFor = async (id: string, ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    places.release(id);
    await vi.advanceTimersByTimeAsync(0);
  };
  const answers: Record<string, string> = {};
  await places.take('0', alone('a'));
  for (const id of ['1', '2', '3', '4', '5', '6']) {
    void (async () => {
      answers[id] = await places.take(id, alone('a'));
    })();
  }
  // Each for less than the patience, all of them for longer.
  for (const id of ['0', '1', '2', '3']) await holdFor(id, 1_500);
  expect(answers).toEqual({ 1: 'local', 2: 'local', 3: 'local', 4: 'local' });
  await holdFor('4', 10_000);
  expect(answers).toMatchObject({ 5: 'ordinary', 6: 'ordinary' });
});

test('a place given back twice, or never taken, frees nothing else', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 1, total: 10 });
  await places.take('a1', alone('a'));
  places.release('unknown');
  expect(await places.take('a2', alone('a'))).toBe('ordinary');
  places.release('a1');
  places.release('a1');
  expect(await places.take('a3', alone('a'))).toBe('local');
  expect(await places.take('a4', alone('a'))).toBe('ordinary');
});

test('a place whose workflow was lost is forgotten after a while', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 1, total: 1, forgottenAfterMs: 0 });
  await places.take('lost', alone('a'));
  expect(await places.take('a2', alone('a'))).toBe('local');
});

test('a place whose workflow was lost is forgotten after that while, also when the clock was put back', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 1, total: 1, forgottenAfterMs: 0 });
  await places.take('lost', alone('a'));
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  expect(await places.take('a2', alone('a'))).toBe('local');
});

test('an attempt enters the place that its start took, or else a free one, and none when there is none', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 2, total: 10 });
  await places.take('a1', alone('a'));
  expect(places.enter('a1', alone('a'))).toBe(true);
  expect(places.enter('a2', alone('a'))).toBe(true);
  expect(places.enter('a3', alone('a'))).toBe(false);
  places.release('a1');
  expect(places.enter('a3', alone('a'))).toBe(true);
});

test('a start that is not granted here gives its place back, but not from under an attempt that has begun here', async () => {
  const places = createFirstAttempts({ ...impatient, perKey: 1, total: 10 });
  await places.take('a1', alone('a'));
  places.forgo('a1');
  expect(await places.take('a2', alone('a'))).toBe('local');
  places.enter('a2', alone('a'));
  places.forgo('a2');
  expect(await places.take('a3', alone('a'))).toBe('ordinary');
  places.release('a2');
  expect(await places.take('a4', alone('a'))).toBe('local');
});

test('a place given back costs the same however many deliveries wait for one', async () => {
  const places = createFirstAttempts({ total: 300, patienceMs: 60_000 });
  const accounts = Array.from({ length: 20 }, (_, account) => `account ${account}`);
  const under: string[] = [];
  const served = accounts.flatMap((accountId) =>
    Array.from({ length: 500 }, async (_, index) => {
      const id = `${accountId}, ${index}`;
      expect(await places.take(id, { accountId, key: id })).toBe('local');
      under.push(id);
    }),
  );
  const { user: before } = process.cpuUsage();
  for (let done = 0; done < served.length; done += 1) {
    await vi.waitUntil(() => under.length > 0, { timeout: 60_000, interval: 1 });
    places.release(under.shift() ?? '');
  }
  await Promise.all(served);
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000);
});

test('tells places that wait for Temporal from those of a receiver that hangs', () => {
  const attempts = createFirstAttempts({ perKey: 4 });
  const lane = { accountId: 'account', key: 'webhook' };
  const ids = ['1', '2', '3', '4'];
  expect(ids.map((id) => attempts.takeNow(id, lane))).toEqual([true, true, true, true]);
  expect(attempts.takeNow('5', lane)).toBe(false);
  expect(attempts.waitForTemporal(lane)).toBe(true);
  for (const id of ids) attempts.enter(id, lane);
  expect(attempts.waitForTemporal(lane)).toBe(false);
  for (const id of ids) attempts.release(id);
  expect(attempts.takeNow('5', lane)).toBe(true);
  expect(attempts.waitForTemporal(lane)).toBe(true);
});
