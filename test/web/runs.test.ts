import { expect, test } from 'vitest';
import { flowCalls } from '../helpers/flows.ts';
import { aDefinition } from '../helpers/definitions.ts';
import { readId, showId } from '../../src/shared/ids.ts';
import { byTheClock } from '../helpers/by-the-clock.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { allWaitAtAsk, haveCausedMany } from '../helpers/states/runs.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const askSize = aDefinition([
  { id: 'ask_size', type: 'ask', prompt: 'Which size?', timeout: 'PT1H', next: { invalid: null, timeout: null } },
]);

/** An account with contacts in a live flow, of whom nobody carries the runs out. */
const withRuns = async (names: readonly string[]) => {
  const account = await api.createAccount();
  const { call, createLive } = flowCalls(api, account);
  const flow = await createLive(askSize, 'Sizes');
  const runs = [];
  for (const first_name of names) {
    const contact = await call<{ id: string }>('POST', '/contacts', { first_name });
    const run = await call<{ id: string }>('POST', `/contacts/${contact.body.id}/flows`, { flow_id: flow.id });
    runs.push(run.body.id);
  }
  return { account, call, flow, runs };
};

test('runs are found by flow and status, read one by one with their workflow, and cancelled', async () => {
  const { account, call, runs } = await withRuns(['Ada <img src=x onerror=alert(1)>']);
  const [id = ''] = runs;
  const page = await web.open('/runs?status=running', { session: account.session });
  const row = page.getByRole('row', { name: /Ada/ });
  await row.getByRole('link', { name: 'Sizes' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await row.getByRole('link', { name: /Ada/ }).click();
  await page.getByRole('heading', { name: 'Ada <img src=x onerror=alert(1)> in Sizes', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).waitFor();
  await page.getByText('Details', { exact: true }).click();
  const href = await page.getByRole('link', { name: /Open in Temporal/ }).getAttribute('href');
  expect(href).toBe(`http://temporal.example/namespaces/default/workflows/${encodeURIComponent(`run/${id}`)}`);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  // Also as its reason it is not told again.
  expect(await page.getByText('cancelled', { exact: true }).count()).toBe(0);
  expect((await call<{ status: string }>('GET', `/runs/${id}`)).body.status).toBe('cancelled');
});

test('the list of runs says where each is, since when, and until when it waits or when it ended', async () => {
  const { account, call, runs } = await withRuns(['Ada', 'Grace']);
  await call('POST', `/runs/${runs[0]}/cancel`);
  await allWaitAtAsk(api.db, { accountId: account.accountId, blockId: 'ask_size' });
  const page = await web.open('/runs', { session: account.session });
  const table = page.getByRole('table', { name: 'Runs' });
  const told = async (name: string) => {
    const row = table.getByRole('row', { name: new RegExp(name) });
    await row.waitFor();
    await table.getByRole('columnheader', { name: 'Until' }).waitFor();
    const headings = await table.getByRole('columnheader').allTextContents();
    const cells = await row.locator('th, td').allTextContents();
    return Object.fromEntries(headings.map((heading, place) => [heading, cells[place]]));
  };
  expect(await told('Grace')).toMatchObject({
    Flow: 'Sizes',
    Status: 'Waiting',
    Where: 'for a replyat “ask_size”',
    Since: expect.stringMatching(/now|ago/),
    Until: expect.stringMatching(/^in /),
  });
  expect(await told('Ada')).toMatchObject({
    Status: 'Cancelled',
    Since: expect.stringMatching(/now|ago/),
    Until: expect.stringMatching(/now|ago/),
  });
  await page.getByRole('button', { name: 'Columns' }).click();
  const offered = page.getByRole('dialog').locator('label');
  await expect.poll(() => offered.allTextContents()).toEqual(['Flow', 'Status', 'Where', 'Since', 'Until']);
});

test('a run that caused too many others shows how many were not started', byTheClock, async () => {
  const { account, call, runs, flow } = await withRuns(['Ada']);
  const [id = ''] = runs;
  await haveCausedMany(api.db, readId('run', id), 1_000);
  const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Grace' });
  const headers = { 'idempotency-key': `${id}:call:1` };
  await call('POST', `/contacts/${contact.body.id}/flows`, { flow_id: flow.id }, headers);
  const page = await web.open(`/runs/${id}`, { session: account.session });
  await page.getByText('1 run was not started').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('the runs of a flow tell what became of those of the past week, and show those of a status', async () => {
  const { account, call, flow, runs } = await withRuns(['Ada', 'Grace', 'Alan']);
  const page = await web.open(`/flows/${flow.id}?tab=runs`, { session: account.session });
  const counts = page.getByRole('group', { name: 'Runs of the last 7 days' });
  await counts.getByText('3 runs started in the last 7 days:').waitFor();
  expect(await counts.getByRole('button').allTextContents()).toEqual(['3 running']);
  await call('POST', `/runs/${runs[0]}/cancel`);
  // A hint comes within seconds.
  await expect
    .poll(() => counts.getByRole('button').allTextContents(), { timeout: 10_000 })
    .toEqual(['2 running', '1 cancelled']);
  expect(await findBarriers(page)).toEqual([]);
  await counts.getByRole('button', { name: '1 cancelled' }).click();
  await page.getByRole('row', { name: /Grace/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Ada/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('cancelled');
});

test('all open runs of a flow are cancelled together after asking, and an agent is offered nothing of it', async () => {
  const { account, call, flow } = await withRuns(['Ada', 'Grace', 'Alan']);
  const page = await web.open(`/flows/${flow.id}?tab=runs`, { session: account.session, colorScheme: 'dark' });
  await page.getByRole('row', { name: /Grace/ }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep them' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByText('3 runs cancelled').waitFor();
  const open = await call<{ data: unknown[] }>('GET', '/runs?status=running');
  expect(open.body.data).toEqual([]);

  await setRole(api.db, account.userId, 'agent');
  await page.reload();
  await page.getByRole('row', { name: /Grace/ }).waitFor();
  expect(await page.getByRole('button', { name: /Cancel runs|Retry failed runs/ }).count()).toBe(0);
});

test('changing all runs of a flow ends with the page that it was begun on', async () => {
  const { account, flow } = await withRuns(['Ada']);
  const page = await web.open(`/flows/${flow.id}?tab=runs`, { session: account.session });
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  await page.route('**/runs/cancel', async (route) => {
    requests += 1;
    sent.resolve();
    await released.promise;
    await route.fulfill({ json: { changed: 200, refused: 0, more: requests < 3 } });
  });
  await page.getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel runs' }).click();
  await sent.promise;
  await page.getByRole('navigation').getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  released.resolve();
  await page.getByText('Stopped after 200 runs').waitFor();
  expect(requests).toBe(1);
});

test.for([
  ['/runs', 'Failed', 'WorkflowType = "runFlow" AND RunStatus = "failed"'],
  ['/runs', 'In progress', 'WorkflowType = "runFlow" AND ExecutionStatus = "Running"'],
  ['/settings/logs/delivery', 'Retrying', 'WorkflowType = "deliverEvent" AND DeliveryStatus = "retrying"'],
] as const)("%s leads to Temporal's list: %s, of the account alone", async ([path, name, query]) => {
  const { session, accountId } = await api.createAccount();
  const page = await web.open(path, { session });
  const href = await page.getByRole('link', { name }).getAttribute('href');
  const { origin, pathname, searchParams } = new URL(String(href));
  expect(origin + pathname).toBe('http://temporal.example/namespaces/default/workflows');
  expect(searchParams.get('query')).toBe(`AccountId = "${showId('account', accountId)}" AND ${query}`);
});
