import { Client } from '@temporalio/client';
import { afterAll, expect, test } from 'vitest';
import { linkToPages } from '../../src/service/link-to-pages.ts';
import { searchAttributes } from '../../src/shared/platform/temporal/search-attributes.ts';
import { startDevServer } from '../helpers/temporal.ts';

const temporal = await startDevServer();
afterAll(() => temporal.stop());

const client = new Client({
  connection: temporal.nativeConnection,
  interceptors: { workflow: [linkToPages('https://parley.example')] },
});
const contact = 'con_01m7yvw2d9fakacgw7x6mj5rnw';
const options = {
  taskQueue: 'nobody-works-here',
  args: [],
  typedSearchAttributes: [{ key: searchAttributes.contactId, value: contact }],
};

test.each([
  ['delivery/dlv_1/round/2', '/settings/logs/delivery/dlv_1'],
  ['run/run_1/resume/1', '/runs/run_1'],
  ['replay/rpl_1', '/settings/logs/replays/rpl_1'],
  ['sending/snd_1', `/contacts/${contact}`],
])("the workflow %s links to its page in Temporal's UI, started or signaled", async (workflowId, path) => {
  const link = `[Open in Parley](https://parley.example${path})`;
  const started = await client.workflow.start('any', { ...options, workflowId });
  expect(await (await started.describe()).staticDetails()).toBe(link);
  const signaled = await client.workflow.signalWithStart('any', {
    ...options,
    workflowId: `${workflowId}/resume/2`,
    signal: 'wake',
  });
  expect(await (await signaled.describe()).staticDetails()).toBe(link);
});

test('a workflow without a page has no link', async () => {
  const { taskQueue, args } = options;
  const started = await client.workflow.start('any', { taskQueue, args, workflowId: 'mail/mail_1' });
  expect(await (await started.describe()).staticDetails()).toBeUndefined();
});
