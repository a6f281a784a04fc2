import { readdir, readFile } from 'node:fs/promises';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import * as workflows from '../../src/workflows/index.ts';
import '../helpers/temporal.ts';

const folder = new URL('./histories/', import.meta.url);
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();

const read = async (file: string) => historyFromJSON(JSON.parse(await readFile(new URL(file, folder), 'utf8')));

/** No release has these yet: `npm run histories` saves theirs before the next one. */
const unreleased = ['retryRuns'];

test('every release that is kept has its histories, and the latest ones are of every workflow that there is', async () => {
  const archives = await readdir(new URL('../upgrades/', import.meta.url));
  const releases = archives.flatMap((name) => /^parley-(.+)\.tar\.gz$/.exec(name)?.[1] ?? []);
  const versions = [...new Set(files.map((name) => name.split('/')[0] ?? ''))];
  expect(versions).toEqual(expect.arrayContaining(releases));
  const latest = await Promise.all(files.filter((name) => name.startsWith(`${versions.at(-1)}/`)).map(read));
  const types = latest.map(({ events }) => events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name);
  expect(new Set([...types, ...unreleased])).toEqual(new Set(Object.keys(workflows)));
  expect(types).not.toEqual(expect.arrayContaining(unreleased));
});

// A workflow that has begun under an older version goes on under this one: whatever it did must come out again.
test.each(files)('%s replays', async (file) => {
  const options = { workflowBundle: { codePath: inject('workflowBundle') } };
  await expect(Worker.runReplayHistory(options, await read(file))).resolves.toBeUndefined();
});
