import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { flowCalls } from '../../helpers/flows.ts';
import { aLargeFlow } from '../helpers/large-flow.ts';
import { useWeb } from '../helpers/web.ts';
import { tell } from './tell.ts';

const { api, web } = await useWeb();

const account = await api.createAccount();
const { session } = account;
const { create } = flowCalls(api, account);

/** Answers in how many ms after the click on a flow of the list its first blocks are painted. */
const timeOpening = (id: string) => `new Promise((done) => {
  const begun = performance.now();
  const look = () => {
    const isThere = document.querySelectorAll('.react-flow__node .block-face').length > 3;
    requestAnimationFrame(isThere ? () => setTimeout(() => done(performance.now() - begun)) : look);
  };
  document.querySelector('main a[href="/flows/${id}"]').click();
  look();
})`;

/** How many ms of script a page has run. */
const scriptMs = async (page: Page): Promise<() => Promise<number>> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000;
  };
};

test.each([300, 500])(
  'a flow of %i blocks, from the click in the list to painted, with its code at hand',
  async (count) => {
    const { id } = await create(aLargeFlow(count), `Flow of ${count}`);
    const page = await web.open('/flows', { session });
    const times: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      await page.locator(`main a[href="/flows/${id}"]`).waitFor();
      times.push(Number(await page.evaluate(timeOpening(id))));
      await page.locator('a.nav-entry[href="/flows"]').click();
      await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor();
    }
    tell(`${count} blocks, first`, times.slice(0, 1));
    tell(`${count} blocks`, times.slice(2));
    expect(times).toHaveLength(7);
  },
);

test('script of a pointer move while a block is dragged, with all of 300 blocks in sight', async () => {
  const { id } = await create(aLargeFlow(300), 'Dragged');
  const page = await web.open(`/flows/${id}?tab=builder`, { session, viewport: { width: 1680, height: 1000 } });
  await page.locator('.react-flow__node').first().waitFor();
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(301);
  const box = await page.locator('.react-flow__node[data-id="id:block_7"]').boundingBox();
  if (!box) throw new Error('the block is not seen');
  const script = await scriptMs(page);
  const moves = 100;
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 3 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y + 20, { steps: 4 });
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = await script();
    await page.mouse.move(at.x + 20 + (round % 2) * 100, at.y + 60, { steps: moves });
    times.push(((await script()) - before) / moves);
  }
  await page.mouse.up();
  tell('script of a pointer move, ms', times);
  expect(times).toHaveLength(5);
});

test('script of a key that is typed into a block of 500', async () => {
  const { id } = await create(aLargeFlow(500), 'Typed');
  const page = await web.open(`/flows/${id}?tab=builder`, { session, viewport: { width: 1440, height: 1000 } });
  await page.locator('.react-flow__node[data-id="id:block_0"] .block-face').click();
  const name = page.locator('.panel').getByRole('textbox').first();
  await name.click();
  const script = await scriptMs(page);
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = await script();
    await page.keyboard.type('abcdefghij', { delay: 30 });
    times.push(((await script()) - before) / 10);
  }
  tell('script of a key, ms', times);
  expect(times).toHaveLength(5);
});
