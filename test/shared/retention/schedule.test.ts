import { expect, test, vi } from 'vitest';
import { examineRetention } from '../../../src/cli/doctor/temporal.ts';
import { registerSchedules, retentionSchedule } from '../../../src/shared/retention/schedule.ts';
import { useLiveWorld } from '../../helpers/live-world.ts';

const { temporal, world } = await useLiveWorld();

const schedule = () => temporal.client.schedule.getHandle(retentionSchedule);

test('any number of processes may register it at once: there is one schedule, daily and never overlapping', async () => {
  await Promise.all(Array.from({ length: 4 }, () => registerSchedules(temporal.client)));
  const { action, spec, policies, info } = await schedule().describe();
  expect(action).toMatchObject({ workflowType: 'applyRetention', taskQueue: 'maintenance' });
  expect(spec.calendars).toMatchObject([{ hour: [{ start: 3 }], minute: [{ start: 17 }] }]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 86_400_000 });
  const [first, second] = info.nextActionTimes.map((at) => at.getTime());
  // A jitter of a quarter of an hour each.
  expect(Math.abs((second ?? 0) - (first ?? 0) - 86_400_000)).toBeLessThan(900_000);
});

test('registering brings it up to this version, and leaves it paused where an operator has paused it', async () => {
  await registerSchedules(temporal.client);
  await schedule().update(({ state, action, policies }) => ({
    state: { ...state, paused: true, note: 'an audit' },
    action: { ...action, taskQueue: 'elsewhere' },
    policies,
    spec: { intervals: [{ every: '1 h' }] },
  }));
  await registerSchedules(temporal.client);
  const { action, spec, state } = await schedule().describe();
  expect(action).toMatchObject({ taskQueue: 'maintenance' });
  expect(spec).toMatchObject({ intervals: [], calendars: [{ hour: [{ start: 3 }] }] });
  expect(state).toMatchObject({ paused: true, note: 'an audit' });
  await schedule().unpause();
});

test('triggered, it removes what is old, and its workflow completes with numbers alone', async () => {
  const { db } = world;
  await db`select log_partitions(now() - interval '120 days', now() - interval '120 days')`;
  await registerSchedules(temporal.client);
  // At its own hour it would remove what is old first.
  await schedule().pause();
  await schedule().trigger();
  const started = async () => (await schedule().describe()).info.recentActions.at(-1)?.action.workflow.workflowId;
  const workflowId = await vi.waitUntil(started, { timeout: 60_000, interval: 50 });
  const report: unknown = await temporal.client.workflow.getHandle(workflowId).result();
  expect(report).toMatchObject({ weeksDropped: 1, weeksInProgress: 0, weeksInUse: 0 });
  expect(Object.values(report ?? {}).every((value) => typeof value === 'number')).toBe(true);
  await schedule().unpause();
});

test('doctor tells when it runs next, when it is paused, and when it is missing', async () => {
  const says = () => examineRetention(temporal.client);
  await registerSchedules(temporal.client);
  expect(await says()).toMatchObject({ state: 'ok', message: expect.stringMatching(/^next run \d{4}-.*T03:[1-3]\d/) });
  await schedule().pause();
  expect(await says()).toMatchObject({ state: 'warning', message: expect.stringMatching(/^paused/) });
  await schedule().delete();
  expect(await says()).toMatchObject({ state: 'warning', message: expect.stringMatching(/^no schedule retention/) });
});
