import { readdir, readFile } from 'node:fs/promises';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import '../helpers/temporal.ts';

const folder = new URL('./histories/', import.meta.url);
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();

test('there are histories of released workflows', () => {
  expect(files).not.toEqual([]);
});

// A workflow that has begun under an older version goes on under this one: whatever it did must come out again.
test.each(files)('%s replays', async (file) => {
  const history = historyFromJSON(JSON.parse(await readFile(new URL(file, folder), 'utf8')));
  const options = { workflowBundle: { codePath: inject('workflowBundle') } };
  await expect(Worker.runReplayHistory(options, history)).resolves.toBeUndefined();
});
