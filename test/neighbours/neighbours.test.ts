import { appendFile } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { adversaries } from './adversaries/index.ts';
import { startInstallation } from './installation.ts';
import { aNeighbour, type Took } from './neighbour.ts';
import { aboveBar, compare } from './result.ts';

const times = 15;

const several = async (act: () => Promise<Took>): Promise<Took[]> => {
  const took: Took[] = [];
  for (let count = 0; count < times; count += 1) took.push(await act());
  return took;
};

test.each(adversaries)('a neighbour waits no longer than it may beside: $title', async ({ title, begin }) => {
  const installation = await startInstallation();
  await using ending = new AsyncDisposableStack();
  ending.defer(() => installation.stop());
  const act = await aNeighbour(installation);
  const adversary = await installation.createCaller('adversary');
  await several(act);
  const alone = await several(act);
  const stop = await begin(adversary, installation);
  ending.defer(stop);
  const result = compare(title, alone, await several(act));
  await appendFile(inject('neighbourResults'), `${JSON.stringify(result)}\n`);
  expect(aboveBar(result)).toEqual([]);
});
