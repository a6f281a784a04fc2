import { expect, test } from 'vitest';
import { flowCalls } from '../helpers/flows.ts';
import { aLargeFlow } from './helpers/large-flow.ts';
import { countRenders, takeRenders } from './helpers/renders.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const namedIn = (renders: ReadonlyMap<string, number>, name: RegExp): string[] =>
  [...renders.keys()].filter((key) => name.test(key));

const openCounted = async () => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).create(aLargeFlow(40));
  const page = await web.open(`/flows/${id}?tab=builder`, {
    session: account.session,
    viewport: { width: 1680, height: 1000 },
    alone: true,
  });
  await countRenders(page);
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await expect.poll(() => page.locator('.react-flow__node').count()).toBe(41);
  const face = page.locator('.react-flow__node[data-id="id:block_7"] .block-face');
  await face.click();
  await page.locator('.panel').waitFor();
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  return { page, face };
};

test('while a block is dragged, no other block is rendered, nor what stands around', async () => {
  const { page, face } = await openCounted();
  const box = await face.boundingBox();
  if (!box) throw new Error('the block is not seen');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 40, { steps: 4 });
  const begun = await page.locator('.react-flow__node[data-id="id:block_7"]').getAttribute('style');
  await takeRenders(page);
  await page.mouse.move(box.x + 80, box.y + 120, { steps: 20 });
  await expect
    .poll(() => page.locator('.react-flow__node[data-id="id:block_7"]').getAttribute('style'))
    .not.toBe(begun);
  const renders = await takeRenders(page);
  await page.mouse.up();
  expect(namedIn(renders, /^(?:Drawn|BlockTools|CanvasTools|WireLayer)/)).toEqual(['DrawnBox id:block_7']);
});

test('a key in a text renders its block on the canvas alone, and no tool', async () => {
  const { page } = await openCounted();
  const text = page.locator('.panel .cm-content').first();
  await text.click();
  // The first keys name a step.
  await page.keyboard.type('abc');
  await takeRenders(page);
  await page.keyboard.type('defgh');
  const renders = await takeRenders(page);
  expect(namedIn(renders, /^(?:Drawn|BlockTools|CanvasTools|ChosenContact|HeadTools|TargetSelect|Views)/)).toEqual([
    'DrawnBox id:block_7',
  ]);
});
