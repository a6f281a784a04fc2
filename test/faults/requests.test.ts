import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { useInstallation } from './installed.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';
import { createWalks, type Course } from './walks.ts';

const course = (id: string, more: object = {}): Course => ({
  blocks: (url) => [
    {
      id,
      type: 'external_request',
      method: 'PUT',
      url: `${url}${id}`,
      mapping: [{ path: '$.number', field: 'order' }],
      ...more,
    },
    { id: 'tell', type: 'send', messages: [{ text: 'told' }] },
  ],
  steps: [`${id}: success`, 'tell: default'],
  fields: { order: 7 },
  messages: ['told'],
});

/** After so long Temporal gives up a workflow task of a run. */
const workflowTaskMs = 16_000;

const until = (condition: () => Promise<boolean> | boolean) =>
  vi.waitUntil(condition, { timeout: patienceMs, interval: 20 });

describe('a request of a run that is under way', () => {
  const { installed } = useInstallation();

  /** One contact whose run makes a request, which has its answer when `answer` is called. */
  const asking = async (word: string, more?: object) => {
    const answered = Promise.withResolvers<void>();
    const walks = await createWalks(installed(), {
      courses: { [word]: course(word, more) },
      onAsked: async () => {
        await answered.promise;
        return { type: 'respond', body: '{"number": 7}' };
      },
    });
    onTestFinished(walks.close);
    onTestFinished(() => answered.resolve());
    await walks.say([word], word);
    await until(() => walks.asked.length === 1);
    return { walks, answer: answered.resolve };
  };

  const workflowOf = (runId: string) => installed().temporalClient.workflow.getHandle(`run/${showId('run', runId)}`);

  const eventsOf = async (runId: string) => (await workflowOf(runId).fetchHistory()).events ?? [];

  /** The activities that a run's workflow has scheduled on the server. */
  const countActivities = async (runId: string): Promise<number> =>
    (await eventsOf(runId)).filter((event) => event.activityTaskScheduledEventAttributes).length;

  test('Temporal, killed: the answer is recorded meanwhile, and its lost workflow task asks nobody again', async () => {
    const { db, temporal } = installed();
    const { walks, answer } = await asking('runWithoutTemporal');
    await temporal.kill();
    answer();
    await until(async () => (await walks.countSteps()) === 2);
    await sleep(workflowTaskMs);
    const sinceMs = Date.now();
    await temporal.start();
    await walks.settle();
    const tally = await walks.tally('runWithoutTemporal');
    expect(tally).toMatchObject({ sentAgain: 0 });
    const [runId = ''] = await walks.runsOf('runWithoutTemporal');
    expect(await workflowOf(runId).result()).toEqual({ status: 'completed' });
    expect((await eventsOf(runId)).filter((event) => event.workflowTaskTimedOutEventAttributes)).toHaveLength(1);
    expect(await countActivities(runId)).toBe(0);
    expect(walks.asked).toHaveLength(1);
    expect(await db`select state, try from requests where run_id = ${runId}`).toMatchObject([{ state: 'answered' }]);
    await report('runWithoutTemporal', tally, { sinceMs });
  });

  test('PostgreSQL, killed: the answer is kept in memory until it is back, and nobody is asked again', async () => {
    const { postgres } = installed();
    const { walks, answer } = await asking('runWithoutPostgres');
    await postgres.kill();
    answer();
    await until(() => walks.underWay() === 0);
    const sinceMs = Date.now();
    await postgres.start();
    await walks.settle();
    const tally = await walks.tally('runWithoutPostgres');
    expect(tally).toMatchObject({ sentAgain: 0 });
    await report('runWithoutPostgres', tally, { sinceMs });
  });

  test('SIGKILL: one that is an activity comes again with the same key', async () => {
    const { service } = installed();
    const { walks, answer } = await asking('runActivityKilled', { timeout_ms: 10_001 });
    await service.kill();
    const [runId = ''] = await walks.runsOf('runActivityKilled');
    expect(await countActivities(runId)).toBe(1);
    answer();
    const sinceMs = await service.start();
    await walks.settle();
    const tally = await walks.tally('runActivityKilled');
    expect(tally).toMatchObject({ sentAgain: 1 });
    await report('runActivityKilled', tally, { sinceMs });
  });
});
