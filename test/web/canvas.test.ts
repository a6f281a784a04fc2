import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { findBarriers } from './helpers/axe.ts';
import { useWeb } from './helpers/web.ts';

const { api, web } = await useWeb();

const markup = '<img src=x onerror="globalThis.hacked = true">';

const send = (id: string, next?: object) => ({
  id,
  type: 'send',
  messages: [{ text: `Text of ${id}` }],
  ...(next && { next }),
});

/** Three blocks that are placed, of which the third stands alone. */
const three = (rest: object = {}) =>
  aFlowDefinition({
    blocks: [send('a', { default: 'b' }), send('b', { default: null }), send('c', { default: null })],
    ui: { positions: { a: { x: 0, y: 0 }, b: { x: 400, y: 0 }, c: { x: 330, y: 320 } } },
    ...rest,
  });

const openBuilder = async (definition: object, { viewport = { width: 1680, height: 1000 } } = {}) => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).create(definition);
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session, viewport });
  const canvas = page.getByRole('application', { name: 'Canvas of the flow' });
  await canvas.locator('.react-flow__node').first().waitFor();
  const block = (title: string) => canvas.locator(`.react-flow__node[data-id="id:${title}"]`);
  return { account, id, page, canvas, block };
};

/** The wires that are seen: "a default → b". */
const wires = async (page: Page): Promise<string[]> => {
  const found = await page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('.react-flow__edge')].map((edge) => [edge.dataset.id, edge.getAttribute('aria-label')])`,
  );
  return found
    .map(([id, label]) => `${id.replace('id:', '')} → ${label.split(' to ')[1]?.replace('id:', '')}`)
    .toSorted();
};

/** Where an element is once it stands still: the canvas moves into place after it is drawn. */
const middleOf = async (page: Page, selector: string): Promise<{ x: number; y: number }> => {
  const boxOf = () => page.locator(selector).boundingBox();
  let box = await boxOf();
  await expect
    .poll(async () => {
      const before = box;
      box = await boxOf();
      return [box?.x, box?.y].join() === [before?.x, before?.y].join();
    })
    .toBe(true);
  if (!box) throw new Error(`${selector} is not seen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

const port = (block: string, name: string) => `.react-flow__node[data-id="id:${block}"] [data-handleid="${name}"]`;

const drag = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
};

const undoLabel = (page: Page) => page.getByRole('button', { name: 'Undo' });

test('a block is dragged as one step, which undo takes back', async () => {
  const { page, block } = await openBuilder(three());
  const before = await block('b').boundingBox();
  const from = await middleOf(page, '[data-id="id:b"] .block-head');
  await drag(page, from, { x: from.x + 120, y: from.y + 90 });
  const placeOf = async () => (await block('b').boundingBox())?.x;
  await expect.poll(placeOf).toBeGreaterThan((before?.x ?? 0) + 60);
  await undoLabel(page).click();
  await expect.poll(placeOf).toBe(before?.x);
  expect(await undoLabel(page).getAttribute('data-disabled')).toBe('true');
});

test('a wire dragged from a port connects it, again leads it elsewhere, and its cross takes it away', async () => {
  const { page, block } = await openBuilder(three());
  await drag(page, await middleOf(page, port('b', 'default')), await middleOf(page, '[data-id="id:c"] .block-head'));
  await expect.poll(() => wires(page)).toContain('b default → c');
  await drag(page, await middleOf(page, port('a', 'default')), await middleOf(page, '[data-id="id:c"] .face-message'));
  await expect.poll(() => wires(page)).toEqual(['a default → c', 'b default → c', 'start start → a']);
  await page.locator('.react-flow__edge[data-id="id:a default"] .react-flow__edge-interaction').hover({ force: true });
  await page.locator('[data-wire="id:a default"] [data-wire-tool=remove]').click();
  await expect.poll(() => wires(page)).toEqual(['b default → c', 'start start → a']);
  await block('a').getByText('run ends here').waitFor();
  await page.getByRole('status').getByText('Disconnected default').waitFor();
});

test('the end of a wire is dragged to another block, as one step; let go at once it stays', async () => {
  const { page, canvas } = await openBuilder(three());
  const grip = canvas.locator('.react-flow__edge[data-id="id:a default"] .wire-grip');
  await page.locator('.react-flow__edge[data-id="id:a default"] .react-flow__edge-interaction').hover({ force: true });
  await grip.waitFor();
  const from = await middleOf(page, '.react-flow__edge[data-id="id:a default"] .wire-grip');
  await drag(page, from, from);
  expect(await wires(page)).toEqual(['a default → b', 'start start → a']);
  await drag(page, from, await middleOf(page, '.react-flow__node[data-id="id:c"] .block-head'));
  await expect.poll(() => wires(page)).toEqual(['a default → c', 'start start → a']);
  await undoLabel(page).click();
  await expect.poll(() => wires(page)).toEqual(['a default → b', 'start start → a']);
});

test('a wire that is held at the border moves the canvas, and reaches a block that was out of sight', async () => {
  const far = three({ ui: { positions: { a: { x: 0, y: 0 }, b: { x: 400, y: 0 }, c: { x: 3_000, y: 0 } } } });
  const { page, canvas, block } = await openBuilder(far);
  await page.getByRole('button', { name: 'Show the beginning' }).click();
  const box = await canvas.boundingBox();
  const begun = await middleOf(page, port('b', 'default'));
  if (!box) throw new Error('the canvas is not seen');
  await page.mouse.move(begun.x, begun.y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 10, begun.y, { steps: 4 });
  const leftOf = async () => (await block('c').boundingBox())?.x ?? Infinity;
  await expect.poll(leftOf).toBeLessThan(box.x + box.width - 300);
  // The canvas goes on moving as long as the wire is held there.
  const head = await page.locator('.react-flow__node[data-id="id:c"] .block-head').boundingBox();
  if (!head) throw new Error('the block is not seen');
  await page.mouse.move(head.x + head.width / 2, head.y + head.height / 2, { steps: 2 });
  await canvas.locator('.wire-target').waitFor();
  await page.mouse.up();
  await expect.poll(() => wires(page)).toEqual(['a default → b', 'b default → c', 'start start → a']);
});

test.each([1_280, 1_440])('at %i px the tools of the canvas cover nothing of the selected block', async (width) => {
  const { page, canvas, block } = await openBuilder(three(), { viewport: { width, height: 900 } });
  for (const title of ['a', 'b', 'c']) {
    await page.getByRole('button', { name: 'Fit to screen' }).click();
    await block(title).locator('.block-face').click();
    await page.locator('.panel').waitFor();
    const toolsLeft = async () =>
      (await canvas.getByRole('button', { name: 'Fit to screen' }).boundingBox())?.x ?? Infinity;
    const isFree = async () => {
      const box = await block(title).boundingBox();
      return box !== null && box.x + box.width <= (await toolsLeft());
    };
    await expect.poll(isFree).toBe(true);
    await page.keyboard.press('Escape');
  }
});

test('the builder fills what is left of the window, also below the banner of a lost connection', async () => {
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).create(three());
  const page = await web.open(`/flows/${id}?tab=builder`, { session: account.session, alone: true });
  const parts = page.locator('.builder-parts');
  await page.locator('.react-flow__node').first().waitFor();
  const room = async () => {
    const box = await parts.boundingBox();
    const isScrolled = await page.evaluate('document.documentElement.scrollHeight > innerHeight');
    return { below: Math.round(900 - (box ? box.y + box.height : 0)), isScrolled };
  };
  const before = await room();
  expect(before.isScrolled).toBe(false);
  expect(before.below).toBeGreaterThanOrEqual(0);
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await expect.poll(room).toEqual(before);
  await page.context().setOffline(false);
  web.complaints(page);
});

test('the palette adds a block at a port, on a wire, and where a wire is dropped', async () => {
  const { page, canvas } = await openBuilder(three());
  const palette = page.getByRole('dialog', { name: 'Add a block' });
  await page.locator(port('c', 'failed')).click();
  await palette.getByRole('combobox').fill('tag');
  expect(await palette.getByRole('option').allTextContents()).toEqual(['Add tag', 'Remove tag']);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect.poll(() => wires(page)).toContain('c failed → add_tag');

  await page.locator('.react-flow__edge[data-id="id:a default"] .react-flow__edge-interaction').hover({ force: true });
  await page.locator('[data-wire="id:a default"] [data-wire-tool=add]').click();
  await palette.getByRole('option', { name: 'Ask', exact: true }).click();
  await expect.poll(() => wires(page)).toEqual(expect.arrayContaining(['a default → ask', 'ask answered → b']));
  // What was used last stands first.
  await page.keyboard.press('Escape');
  const empty = await canvas.boundingBox();
  const ground = { x: (empty?.x ?? 0) + 120, y: (empty?.y ?? 0) + (empty?.height ?? 0) - 80 };
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await expect.poll(async () => (await page.locator('.react-flow__node').all()).length).toBe(6);
  await drag(page, await middleOf(page, port('a', 'failed')), ground);
  const first = async () => (await palette.getByRole('option').allTextContents()).slice(0, 2);
  await expect.poll(first).toEqual(['Ask', 'Add tag']);
  await palette.getByRole('option', { name: 'Send' }).first().click();
  await expect.poll(() => wires(page)).toContain('a failed → send');
});

test('a block that is dropped on a wire stands in it, and deleting it heals the wire', async () => {
  const { page } = await openBuilder(three());
  const wire = await middleOf(page, '.react-flow__edge[data-id="id:a default"] .react-flow__edge-path');
  await drag(page, await middleOf(page, '[data-id="id:c"] .block-head'), wire);
  await expect.poll(() => wires(page)).toEqual(['a default → c', 'c default → b', 'start start → a']);
  await page.locator('[data-id="id:c"] .block-head').click();
  await page.keyboard.press('Delete');
  await expect.poll(() => wires(page)).toEqual(['a default → b', 'start start → a']);
  await page.keyboard.press('Control+z');
  await expect.poll(() => wires(page)).toContain('c default → b');
});

test('Shift selects several by clicks and by a box, and Delete removes them in one step', async () => {
  const { page, block, canvas } = await openBuilder(three());
  await block('b').locator('.block-head').click();
  await page.keyboard.down('Shift');
  await block('c').locator('.block-head').click();
  await page.keyboard.up('Shift');
  expect(await canvas.locator('.react-flow__node.selected').count()).toBe(2);
  await canvas.click({ position: { x: 30, y: 30 } });
  await expect.poll(() => canvas.locator('.react-flow__node.selected').count()).toBe(0);
  const [b, c] = [await block('b').boundingBox(), await block('c').boundingBox()];
  await page.keyboard.down('Shift');
  await drag(page, { x: (b?.x ?? 0) + 290, y: (b?.y ?? 0) - 12 }, { x: (c?.x ?? 0) + 240, y: (c?.y ?? 0) + 40 });
  await page.keyboard.up('Shift');
  await expect.poll(() => canvas.locator('.react-flow__node.selected').count()).toBe(2);
  await canvas.focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => wires(page)).toEqual(['start start → a']);
  await undoLabel(page).click();
  await expect.poll(() => wires(page)).toEqual(['a default → b', 'start start → a']);
});

test('wheel, Space and the middle button move the canvas over blocks, too; Ctrl and the wheel zoom it', async () => {
  const { page, canvas, block } = await openBuilder(three());
  const view = () => canvas.locator('.react-flow__viewport').getAttribute('style');
  const over = await middleOf(page, '[data-id="id:b"] .block-head');
  await page.mouse.move(over.x, over.y);
  let before = await view();
  const changes = async (): Promise<void> => {
    await expect.poll(view).not.toBe(before);
  };
  await page.mouse.wheel(0, 60);
  await changes();
  before = await view();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -40);
  await page.keyboard.up('Control');
  await changes();
  const place = await block('b').getAttribute('style');
  for (const by of ['left', 'middle'] as const) {
    before = await view();
    if (by === 'left') await page.keyboard.down(' ');
    const at = await middleOf(page, '[data-id="id:b"] .block-head');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down({ button: by });
    await page.mouse.move(at.x + 60, at.y + 30, { steps: 4 });
    await page.mouse.up({ button: by });
    if (by === 'left') await page.keyboard.up(' ');
    await changes();
  }
  expect((await block('b').getAttribute('style'))?.split('pointer-events')[0]).toBe(place?.split('pointer-events')[0]);
});

test('text is found in any block, with the next and the previous one', async () => {
  const { page, canvas } = await openBuilder(three());
  await canvas.focus();
  await page.keyboard.press('Control+f');
  const search = page.getByRole('search');
  await search.getByRole('textbox').fill('text of');
  await search.getByText('1 of 3').waitFor();
  await page.keyboard.press('Enter');
  await search.getByText('2 of 3').waitFor();
  await canvas.locator('.found[data-id="id:b"]').waitFor();
  await search.getByRole('button', { name: 'Previous' }).click();
  await canvas.locator('.found[data-id="id:a"]').waitFor();
  await search.getByRole('textbox').fill('nothing like this');
  await search.getByText('No match').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => search.count()).toBe(0);
});

test('a flow opens where its user left it in this browser', async () => {
  const { page, canvas } = await openBuilder(three());
  const view = () => canvas.locator('.react-flow__viewport').getAttribute('style');
  const at = await middleOf(page, '.react-flow__pane');
  const before = await view();
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(40, 70);
  await expect.poll(view).not.toBe(before);
  const isKept = `(() => {
    const [{ x, y, zoom }] = JSON.parse(localStorage.getItem('parley-canvas-views'));
    return document.querySelector('.react-flow__viewport').style.transform === \`translate(\${x}px, \${y}px) scale(\${zoom})\`;
  })()`;
  await expect.poll(() => page.evaluate(isKept)).toBe(true);
  const left = await view();
  await page.reload();
  await expect.poll(view).toBe(left);
});

test('the reference flow is wired by keys alone, screen readers hear each step, and undo goes back to the beginning', async () => {
  const { page, canvas } = await openBuilder(
    aFlowDefinition({ blocks: [{ id: 'ask', type: 'ask', prompt: 'Which size?', next: { answered: null } }] }),
  );
  const told = (text: string | RegExp) => page.locator('.builder-said').getByText(text).waitFor();
  await canvas.focus();
  const add = async (name: string): Promise<void> => {
    await page.keyboard.press('Tab');
    await page.getByRole('dialog', { name: 'Add a block' }).getByRole('combobox').fill(name);
    await page.keyboard.press('Enter');
  };
  await page.keyboard.press('ArrowRight');
  await told(/^Start/);
  await page.keyboard.press('ArrowRight');
  await told('ask, Ask: answered → run ends here');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^ask/);
  await add('external');
  await told('Added external_request');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^external_request/);
  await add('condition');
  await told('Added condition');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^condition/);
  await add('send');
  await told('Added send');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^send/);

  // The condition's other way leads to a second message.
  await page.keyboard.press('ArrowLeft');
  await told(/^condition, Condition/);
  await page.keyboard.press('c');
  const ports = page.getByRole('dialog', { name: 'Connect which port of condition?' });
  await ports.getByRole('combobox').fill('false');
  await page.keyboard.press('Enter');
  const targets = page.getByRole('dialog', { name: 'Connect false to' });
  await targets.getByRole('combobox').fill('new block');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add a block' }).getByRole('combobox').fill('send');
  await page.keyboard.press('Enter');
  await told('Added send_2');
  const all = [
    'ask answered → external_request',
    'condition false → send_2',
    'condition true → send',
    'external_request success → condition',
    'start start → ask',
  ];
  await page.keyboard.press('Control+a');
  await told('5 blocks selected');
  await page.keyboard.press('0');
  await expect.poll(() => wires(page)).toEqual(all);

  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await told(/^Moved to/);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys of the canvas' }).getByText('Follow wires').waitFor();
  await page.keyboard.press('Escape');
  expect(await findBarriers(page)).toEqual([]);
  await canvas.focus();
  for (const step of ['Move 5 blocks', 'Add Send', 'Add Send', 'Add Condition', 'Add External Request']) {
    await page.keyboard.press('Control+z');
    await told(`Undone: ${step}`);
  }
  await expect.poll(() => canvas.locator('.react-flow__node').count()).toBe(2);
});

test('Tidy lays all blocks out without overlaps, as one step', async () => {
  const heap = three({ ui: { positions: { a: { x: 0, y: 0 }, b: { x: 10, y: 10 }, c: { x: 20, y: 20 } } } });
  const { page, block } = await openBuilder(heap);
  const gap = async (): Promise<number> =>
    ((await block('b').boundingBox())?.x ?? 0) - ((await block('a').boundingBox())?.x ?? 0);
  expect(await gap()).toBeLessThan(20);
  await page.getByRole('button', { name: 'Tidy' }).click();
  await expect.poll(gap).toBeGreaterThan(250);
  await undoLabel(page).click();
  await expect.poll(gap).toBeLessThan(20);
});

test('blocks are copied and pasted at the pointer, into another flow, which lists what is missing there', async () => {
  const blocks = [
    { id: 'a', type: 'set_field', field: 'size', value: markup },
    { id: 'b', type: 'external_request', method: 'GET', url: 'https://shop.example/', credential: 'shop' },
  ];
  const { page, canvas, account } = await openBuilder(aFlowDefinition({ blocks }));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await canvas.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.locator('.builder-said').getByText('2 blocks copied').waitFor();
  const other = await flowCalls(api, account).create(three());
  await page.goto(`${api.url}/flows/${other.id}?tab=builder`);
  await page.locator(port('c', 'failed')).waitFor();
  const at = await middleOf(page, '.react-flow__pane');
  await page.mouse.move(at.x, at.y + 200);
  await canvas.focus();
  await page.keyboard.press('Control+v');
  const dialog = page.getByRole('dialog', { name: 'Paste blocks?' });
  await dialog.getByText('shop', { exact: true }).waitFor();
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['Credentialshop', 'Custom fieldsize']);
  expect(await findBarriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Paste blocks' }).click();
  await expect.poll(() => wires(page)).toEqual(['a default → b', 'a_2 default → b_2', 'start start → a']);
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  await page.keyboard.press('Control+d');
  await expect.poll(() => wires(page)).toContain('a_3 default → b_3');
  await page.keyboard.press('Control+x');
  await expect.poll(() => wires(page)).not.toContain('a_3 default → b_3');
});

test('a cURL command that is pasted makes a request block; another text is refused in words', async () => {
  const { page, canvas } = await openBuilder(three());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const paste = async (text: string): Promise<void> => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await canvas.focus();
    await page.keyboard.press('Control+v');
  };
  await paste('Hello');
  await page.getByText('The clipboard has no blocks').waitFor();
  await paste(`{"parley_blocks": 1, "blocks": ${JSON.stringify(markup)}`);
  await page.getByText('These blocks are damaged').waitFor();
  await paste('curl https://shop.example/stock');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('GET https://shop.example/stock').waitFor();
  await dialog.getByRole('button', { name: /^Create/ }).click();
  await canvas.locator('[data-id="id:request"]').getByText('GET shop.example/stock').waitFor();
  expect(await canvas.locator('.react-flow__node').count()).toBe(5);
});

test('no text of a definition becomes markup on the canvas', async () => {
  const { page, canvas } = await openBuilder(
    aFlowDefinition({
      blocks: [
        {
          id: 'a',
          type: 'send',
          name: markup.slice(0, 60),
          messages: [{ text: markup, quick_replies: [markup], image_url: markup }],
        },
        { id: 'b', type: 'ask', prompt: markup, expects: 'choice', choices: [markup], save_to: markup },
        { id: 'c', type: 'condition', rules: [{ field: markup, op: markup, value: markup }], next: { false: markup } },
        { id: 'd', type: 'external_request', method: markup, url: markup, mapping: [{}] },
        { id: 'e', type: markup, next: { [markup]: markup } },
        { id: 'f', type: 'split', weights: { a: markup } },
        { id: markup, type: 'handover', reason: markup },
      ],
      triggers: [{ type: 'keyword', match: 'exact', words: [markup] }],
    }),
  );
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await expect.poll(() => canvas.locator('.react-flow__node').count()).toBe(8);
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('c');
  await page.keyboard.press('Escape');
  expect(await canvas.locator('img').count()).toBe(0);
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
});

test('the small map goes where the canvas is so small that it would cover blocks', async () => {
  const { page, block } = await openBuilder(three(), { viewport: { width: 1280, height: 800 } });
  const map = page.locator('.react-flow__minimap');
  await map.waitFor();
  await block('a').click();
  await page.locator('.panel').waitFor();
  await map.waitFor({ state: 'hidden' });
  await page.keyboard.press('Escape');
  await map.waitFor();
  await page.setViewportSize({ width: 1280, height: 620 });
  await expect.poll(() => map.isVisible()).toBe(false);
});
