import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { startApi } from '../helpers/api.ts';
import { routedRun, startFlowWorld } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { aColleague } from '../helpers/states/accounts.ts';
import { takeManySteps } from '../helpers/states/runs.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWebOf } from './helpers/web.ts';

const world = await startFlowWorld();
const api = await startApi({ world });
const web = await useWebOf(api, async () => {
  await api.stop();
  await world.stop();
});
const session = await createSession(world.db, await aColleague(world.db, world.accountId, 'owner'));

const markup = '<img src=x onerror=alert(1)>';

/** A contact who has started a flow by this word, and is asked for an age; the flow then asks a shop and tells the stock. */
const aRun = async (word: string) => {
  const { db, accountId } = world;
  const shop = await startReceiver({ respond: { type: 'respond', body: '{"left": 3}' } });
  onTestFinished(() => shop.close());
  const blocks = [
    {
      id: 'ask_age',
      type: 'ask',
      prompt: `How old are you? ${markup}`,
      expects: 'number',
      retries: 1,
      retry_text: 'A number',
    },
    {
      id: 'stock',
      type: 'external_request',
      method: 'GET',
      url: shop.url('/stock?size=L'),
      mapping: [{ path: '$.left', field: 'last_name' }],
      next: { error: null, timeout: null },
    },
    {
      id: 'is_left',
      type: 'condition',
      match: 'all',
      rules: [{ field: 'last_name', op: 'is', value: '3' }],
      next: { true: 'tell', false: null },
    },
    { id: 'never', type: 'send', messages: [{ text: 'Nobody comes here' }], next: { default: null } },
    { id: 'tell', type: 'send', messages: [{ text: 'We have {{last_name}}' }] },
    { id: 'again', type: 'ask', prompt: 'Another one?', timeout: 'PT1H' },
  ];
  await aFlow(db, accountId, { blocks, triggers: [{ type: 'keyword', match: 'exact', words: [word] }] });
  const sender = newUuid();
  const says = (text: string) => world.says(sender, text);
  const runId = routedRun((await says(word)).routedTo);
  await world.advance(runId);
  const answer = async () => {
    for (const text of ['old', '42']) {
      await says(text);
      await world.advance(runId);
    }
    await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 2);
    await world.advance(runId);
  };
  return { runId, path: `/runs/${showId('run', runId)}`, answer };
};

test('a run is told as what was said, asked of others and decided, from the message that started it', async () => {
  const { path, answer } = await aRun('story');
  await answer();
  const page = await web.open(path, { session });
  const story = page.getByRole('region', { name: 'Steps and messages' });
  await story.getByText('Another one?').waitFor();
  await story.getByRole('button', { name: /Attempt 1/ }).waitFor();
  const told = [
    ['Run started', 'story', 'Step 1', 'ask_age', 'How old are you?', markup, 'old', 'A number', '42'],
    ['1 invalid reply', 'Waited', 'for a reply', 'took “answered”'],
    ['Step 2', 'stock', '200', 'GET', '/stock', 'last_name', 'set to', '"3"', 'took “success”'],
    ['Step 3', 'is_left', 'last_name = 3', 'took “true”', 'Step 4', 'We have 3', 'Step 5', 'Another one?', 'here now'],
  ].flat();
  const text = (await story.textContent()) ?? '';
  let from = 0;
  for (const part of told) {
    const at = text.indexOf(part, from);
    expect(at, `${part} behind ${text.slice(0, from)}`).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
  expect(await story.locator('.message[data-direction=inbound]').count()).toBe(3);
  expect(await story.locator('.message[data-direction=outbound]').count()).toBe(4);
  expect(await findBarriers(page)).toEqual([]);
});

test('the drawing of a run lights the way that it took, and where it is now', async () => {
  const { path, answer } = await aRun('way');
  await answer();
  const page = await web.open(path, { session, viewport: { width: 1440, height: 900 } });
  const drawing = page.getByRole('application', { name: 'Drawing of the flow' });
  await drawing.getByRole('button', { name: /again.*Here now/ }).waitFor();
  for (const id of ['ask_age', 'stock', 'is_left', 'tell'])
    await drawing.getByRole('button', { name: new RegExp(`^${id} .*Entered`) }).waitFor();
  expect(await drawing.getByRole('button', { name: /never/ }).count()).toBe(0);
  const taken = await drawing.locator('.port-row[data-is-taken=true] .port-name').allTextContents();
  expect(taken.toSorted()).toEqual(['answered', 'next', 'success', 'true']);
  expect(await drawing.locator('.react-flow__edge-path.taken').count()).toBe(5);
});

test('the drawing of a run too large to read at once begins where the run is, beside the tools', async () => {
  const { path, answer } = await aRun('large');
  await answer();
  const page = await web.open(path, { session, viewport: { width: 1440, height: 900 } });
  const drawing = page.getByRole('application', { name: 'Drawing of the flow' });
  const edgesOf = async (name: string | RegExp) => {
    const box = await drawing.getByRole('button', { name }).boundingBox();
    return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? Infinity) };
  };
  const whole = await drawing.boundingBox();
  await expect.poll(async () => (await edgesOf(/again.*Here now/)).left).toBeGreaterThan(whole?.x ?? Infinity);
  const tools = await edgesOf('Zoom in');
  expect((await edgesOf(/again.*Here now/)).right).toBeLessThan(tools.left);
});

test('a block of the drawing leads to its step in the story, and a step to its block', async () => {
  const { path, answer } = await aRun('lead');
  await answer();
  const page = await web.open(path, { session, viewport: { width: 1440, height: 900 } });
  const drawing = page.getByRole('application', { name: 'Drawing of the flow' });
  const story = page.getByRole('region', { name: 'Steps and messages' });
  await drawing.getByRole('button', { name: /^stock/ }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('step-2');
  await story.getByRole('button', { name: 'tell', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^tell/);
  await drawing.locator('.drawn-block[data-is-shown=true]').getByText('tell').waitFor();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('As a list', { exact: true }).click();
  await story.getByRole('button', { name: 'is_left', exact: true }).click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^is_left/);
});

test('a run that failed marks the block where it did in red', async () => {
  const { db, accountId } = world;
  const { contactId } = await world.says(newUuid(), 'hello');
  const shop = await startReceiver({ respond: 404 });
  onTestFinished(() => shop.close());
  const block = { id: 'who', type: 'external_request', method: 'GET', url: shop.url('/who') };
  const runId = await world.enrol(contactId, await aFlow(db, accountId, { blocks: [block] }));
  await world.advance(runId);
  await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
  await world.advance(runId);
  const page = await web.open(`/runs/${showId('run', runId)}`, { session, colorScheme: 'dark' });
  await page.getByRole('button', { name: /who.*Failed/ }).waitFor();
  await page.getByText('Run ended').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('of a long run the latest hundred steps are told, and earlier ones when asked', async () => {
  const { runId, path } = await aRun('long');
  await takeManySteps(world.db, runId, 150);
  const page = await web.open(path, { session });
  const steps = page.locator('.story-step');
  await expect.poll(() => steps.count()).toBe(100);
  expect(await page.getByText('Run started').count()).toBe(0);
  await page.getByRole('button', { name: 'Show earlier steps' }).click();
  await expect.poll(() => steps.count()).toBe(151);
  await page.getByText('Run started').waitFor();
});

test('a narrow screen tells the run first, and has its blocks as a list below', async () => {
  const { path, answer } = await aRun('narrow');
  await answer();
  const page = await web.open(path, { session, viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  const story = page.getByRole('region', { name: 'Steps and messages' });
  const list = page.getByRole('list', { name: 'Blocks' });
  await story.getByText('Another one?').waitFor();
  const [above, below] = [await story.boundingBox(), await list.boundingBox()];
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findBarriers(page)).toEqual([]);
});
