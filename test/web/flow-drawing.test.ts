import { expect, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { allWaitAtAsk } from '../helpers/states/runs.ts';
import { findBarriers } from './helpers/axe.ts';
import { aLargeFlow } from './helpers/large-flow.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

/** Who may not build sees the draft drawn. */
const agentOf = async ({ accountId }: { accountId: string }) =>
  createSession(api.db, await aColleague(api.db, accountId, 'agent'));

const markup = '<img src=x onerror=alert(1)>';

const blocks = [
  {
    id: 'ask_size',
    type: 'ask',
    prompt: `Which size? ${markup}`,
    next: { answered: 'thanks', invalid: null, timeout: null },
  },
  { id: 'later', type: 'delay', for: 'P1D' },
  { id: 'thanks', type: 'send', messages: [{ text: 'Thank you' }], next: { default: 'later' } },
];
const triggers = [{ type: 'keyword', match: 'exact', words: ['shirt'] }];

test('a flow is drawn with where its blocks lead and how many runs are at each now; a block leads to its runs', async () => {
  const account = await api.createAccount();
  const { call, createLive } = flowCalls(api, account);
  const flow = await createLive(aFlowDefinition({ blocks, triggers }));
  const page = await web.open(`/flows/${flow.id}`, {
    session: await agentOf(account),
    viewport: { width: 1280, height: 1200 },
  });
  const drawing = page.getByRole('application', { name: 'Drawing of the flow' });
  const ask = drawing.getByRole('link', { name: /ask_size/ });
  await ask.getByText(markup).waitFor();
  await drawing.getByText('Message is “shirt”').waitFor();
  await drawing.getByText('answered', { exact: true }).waitFor();
  // Of three ports that lead to no block, two end the run, and one fails it.
  expect(await drawing.getByText('run ends here').count()).toBe(2);
  await drawing.getByText('failed', { exact: true }).first().waitFor();
  expect(await drawing.getByText('run fails here').count()).toBe(2);
  expect(await drawing.locator('.react-flow__edge').count()).toBe(4);
  expect(await findBarriers(page)).toEqual([]);

  const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
  await call('POST', `/contacts/${contact.body.id}/flows`, { flow_id: flow.id });
  await drawing.getByRole('img', { name: 'Runs here: 1' }).waitFor();
  await allWaitAtAsk(api.db, { accountId: account.accountId, blockId: 'ask_size' });
  await page.reload();
  await ask.getByRole('img', { name: 'Runs here: 1' }).waitFor();

  const place = () => drawing.locator('.react-flow__viewport').getAttribute('style');
  await drawing.focus();
  for (const key of ['ArrowDown', '+', 'Home']) {
    const before = await place();
    await page.keyboard.press(key);
    await expect.poll(place).not.toBe(before);
  }
  await ask.click();
  await page.getByRole('row', { name: /Ada/ }).waitFor();
  expect(new URL(page.url()).search).toBe('?tab=runs&block=ask_size');
});

test('a narrow screen shows a draft as a list, which says what is missing in it, and goes from block to block', async () => {
  const account = await api.createAccount();
  const { create } = flowCalls(api, account);
  const broken = [
    ...blocks,
    { id: 'ask_size', type: 'asks', next: { default: 'nowhere' } },
    { id: 'again', type: 'goto', block: 'again' },
  ];
  const { id } = await create(aFlowDefinition({ blocks: broken, triggers }));
  const page = await web.open(`/flows/${id}`, {
    session: await agentOf(account),
    viewport: { width: 360, height: 800 },
  });
  const list = page.getByRole('list', { name: 'Blocks' });
  await list.getByText('“nowhere” does not exist').waitFor();
  await list.getByText('this block again').waitFor();
  await list.getByText(markup).waitFor();
  await list.getByRole('button', { name: 'thanks' }).first().click();
  const focused = page.locator('li:focus');
  await focused.getByText('Thank you').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('radiogroup', { name: 'View' }).getByText('As a drawing').click();
  await page
    .getByRole('application')
    .getByRole('link', { name: /thanks/ })
    .waitFor();
  expect(new URL(page.url()).search).toBe('?view=drawing');
});

test('a version is drawn as it was published, whatever the draft is now', async () => {
  const account = await api.createAccount();
  const { createLive, save } = flowCalls(api, account);
  const flow = await createLive(aFlowDefinition({ blocks }));
  await save(flow.id, aFlowDefinition({ text: 'Something else' }));
  const page = await web.open(`/flows/${flow.id}/versions/1`, { session: account.session, colorScheme: 'dark' });
  await page
    .getByRole('application')
    .getByRole('link', { name: /ask_size/ })
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('tab', { name: 'JSON' }).click();
  const definition = page.getByRole('textbox', { name: 'Definition' });
  await definition.getByText('"ask_size"').first().waitFor();

  // It is there, and stays, also where it cannot be loaded again.
  const refusal = { error: { code: 'conflict', message: 'Not now', request_id: '1' } };
  await page.route('**/versions/1', (route) => route.fulfill({ status: 409, json: refusal }));
  const refused = page.waitForResponse('**/versions/1');
  await save(flow.id, aFlowDefinition({ text: 'Something else again' }));
  await (await refused).finished();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await definition.getByText('"ask_size"').first().waitFor();
  await page.getByRole('heading', { name: 'Version 1', level: 1 }).waitFor();
});

test('“Fit to screen” shows all of a flow of 300 blocks', async () => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).create(aLargeFlow(300));
  const page = await web.open(`/flows/${id}`, { session: await agentOf(account) });
  const drawing = page.getByRole('application', { name: 'Drawing of the flow' });
  await expect.poll(() => drawing.locator('.react-flow__node').count()).toBe(301);
  await drawing.getByRole('button', { name: 'Fit to screen' }).click();
  const outside = `(() => {
    const within = document.querySelector('.drawing').getBoundingClientRect();
    return [...document.querySelectorAll('.react-flow__node')].filter((node) => {
      const { top, bottom, left, right } = node.getBoundingClientRect();
      return top < within.top || bottom > within.bottom || left < within.left || right > within.right;
    }).length;
  })()`;
  await expect.poll(() => page.evaluate(outside)).toBe(0);
});

test('an archived flow is drawn and not built, also for editors', async () => {
  const account = await api.createAccount();
  const { createLive, call } = flowCalls(api, account);
  const { id } = await createLive();
  expect((await call('POST', `/flows/${id}/archive`)).status).toBe(200);
  const page = await web.open(`/flows/${id}`, { session: account.session });
  await page.getByRole('application', { name: 'Drawing of the flow' }).getByRole('link', { name: /hello/ }).waitFor();
  expect(await page.getByRole('tab', { name: 'Builder' }).count()).toBe(0);
});
