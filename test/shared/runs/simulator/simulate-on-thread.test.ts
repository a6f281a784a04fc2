import { expect, onTestFinished, test } from 'vitest';
import { createJudgeOnThread } from '../../../../src/shared/external-requests/judge-on-thread.ts';
import { createThreads } from '../../../../src/shared/platform/threads/threads.ts';
import { createSimulateOnThread, simulateAsJson } from '../../../../src/shared/runs/simulator/simulate-on-thread.ts';
import { aField } from '../../../helpers/block-context.ts';
import { aSimulation } from '../../../helpers/simulations.ts';

const say = { id: 'say', type: 'send', messages: [{ text: 'x'.repeat(4_000) }] };

const start = () => {
  const threads = createThreads();
  onTestFinished(threads.stop);
  const simulate = createSimulateOnThread(threads);
  const judgeResponse = createJudgeOnThread(threads);
  const given = aSimulation({ blocks: [say] });
  return {
    simulate: () => simulate('acme', given),
    goOn: () => simulate('acme', { ...given, real: { answers: [], key: '1', over: 'busy' } }),
    map: () =>
      judgeResponse('acme', {
        config: { mapping: [{ path: '$..name', field: 'names', on_missing: 'keep' }] },
        response: { status: 200, headers: {}, body: Buffer.from('{"a": {"name": "Ada"}}') },
        known: { fields: new Map([['names', aField('names', 'list')]]), timeZone: 'UTC', country: null },
        v: 2,
        secrets: [],
      }),
  };
};

test('a mapping goes ahead of simulations that wait, and the sixth that waits is refused', async () => {
  const { simulate, goOn, map } = start();
  // Loading the modules is not what simulations wait for here.
  await simulate();
  await map();
  const order: string[] = [];
  const named = (name: string, work: Promise<unknown>) => work.then(() => order.push(name));
  const running = named('running', simulate());
  const queued = Array.from({ length: 5 }, () => named('queued', simulate()));
  await expect(simulate()).rejects.toMatchObject({ code: 'unavailable' });
  const begun = named('begun', goOn());
  await Promise.all([running, ...queued, begun, named('mapping', map())]);
  expect(order).toEqual(['running', 'mapping', ...Array<string>(5).fill('queued'), 'begun']);
});

test('an answer of a thread that is larger than the bound tells the reason alone', async () => {
  const json = JSON.stringify(aSimulation({ blocks: [say] }));
  expect(JSON.parse(await simulateAsJson(json))).toMatchObject({ result: { status: 'completed' } });
  expect(JSON.parse(await simulateAsJson(json, 4_000))).toMatchObject({
    type: 'done',
    result: { waiting: 'limit', reason: 'size_limit', seed: 1, messages: [], steps: [] },
  });
});
