import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContact } from '../../src/shared/contacts/queries.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { advanceRun } from '../../src/shared/runs/engine/advance.ts';
import { enrollContact } from '../../src/shared/runs/life/enroll.ts';
import { createVersions } from '../../src/shared/runs/engine/versions.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parleyHere } from './parley.ts';
import { noLinks } from '../helpers/no-links.ts';

let cli: CliApi;
let runId: string;

beforeAll(async () => {
  cli = await startCliApi();
  const { api, account } = cli;
  const { accountId } = account;
  const flowId = await aFlow(api.db, accountId, { blocks: [{ id: 'wait', type: 'delay', for: 'P1D' }] });
  runId = await api.deps.transact(async (tx) => {
    const { id: contactId } = await createContact(tx, accountId, {});
    return (await enrollContact(tx, { accountId, contactId, flowId, params: {} })).id;
  });
});
afterAll(() => cli.stop());

const runs = (...args: string[]) => parleyHere(cli.env, 'runs', ...args);

test('runs list and show tell where a run is', async () => {
  const id = showId('run', runId);
  expect((await runs('list', '--status', 'running')).stdout).toContain(id);
  expect((await runs('list', '--status', 'failed')).stdout).toContain('No runs.');
  const { stdout } = await runs('show', id);
  expect(stdout).toContain('running');
  expect(stdout).toContain('No block entered yet.');
});

test('runs list --block shows the open runs that are at a block', async () => {
  const id = showId('run', runId);
  const { transact } = cli.api.deps;
  await advanceRun(
    { transact, readVersion: createVersions(), baseUrl: '', apiUrl: '', lastingLinkTo: noLinks },
    { runId: id, resumes: 0 },
  );
  expect((await runs('list', '--block', 'wait')).stdout).toContain(id);
  expect((await runs('list', '--block', 'other')).stdout).toContain('No runs.');
});

test('runs cancel ends a run, whose workflow the next sweep tells; one that has not failed is not retried', async () => {
  const id = showId('run', runId);
  expect(await runs('retry', id)).toMatchObject({ code: 1, stderr: 'Only a failed run can be retried.\n' });
  expect((await runs('cancel', id)).stdout).toContain('cancelled (cancelled_by_operator)');
  const [row] = await cli.api.db`select sweep_at < now() + interval '6 seconds' as soon from runs where id = ${runId}`;
  expect(row).toEqual({ soon: true });
  expect((await runs('show', showId('run', newUuid()))).code).toBe(1);
});

test('runs retry has a failed one go on where it failed, as the next sweep starts it', async () => {
  const { api, account } = cli;
  const { accountId } = account;
  // The contact has no channel.
  const flowId = await aFlow(api.db, accountId, { blocks: [{ id: 'tell', type: 'send', messages: [{ text: 'Hi' }] }] });
  const { transact } = api.deps;
  const failed = await transact(async (tx) => {
    const { id: contactId } = await createContact(tx, accountId, {});
    return (await enrollContact(tx, { accountId, contactId, flowId, params: {} })).id;
  });
  const id = showId('run', failed);
  const deps = { transact, readVersion: createVersions(), baseUrl: '', apiUrl: '', lastingLinkTo: noLinks };
  await advanceRun(deps, { runId: id, resumes: 0 });
  expect((await runs('list', '--status', 'failed')).stdout).toContain('failed (no_channel)');
  const { stdout } = await runs('retry', id);
  expect(stdout).toMatch(/Status +running\n/);
  expect(stdout).toMatch(/\n2 +tell +2 /);
  const [row] =
    await api.db`select resumes, sweep_at < now() + interval '6 seconds' as soon from runs where id = ${failed}`;
  expect(row).toEqual({ resumes: 1, soon: true });
});
