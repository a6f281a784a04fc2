import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBarriers } from '../helpers/axe.ts';
import {
  chooseByKeys as choose,
  fillByKeys as fill,
  openBlock,
  openBuilder,
  pressByKeys as press,
  tabTo,
} from '../helpers/builder.ts';
import { useWeb } from '../helpers/web.ts';

const both = await useWeb();

type Raw = Readonly<Record<string, unknown>>;

const end = { id: 'end', type: 'end', name: 'The end' };

/** Goes back to the head of the panel, from which Tab leads through the form again. */
const toHead = (page: Page) => page.locator('.panel-title input').focus();

/** By kind of block what stands there first, what is done by keyboard alone, and what stands in the definition then. */
const table: readonly (readonly [kind: string, block: Raw, act: (page: Page) => Promise<void>, expected: Raw])[] = [
  [
    'send',
    { type: 'send', messages: [{ text: 'One' }] },
    async (page) => {
      await fill(page, 'Text', 'First {{first_name}}');
      await press(page, 'Add quick reply');
      await page.keyboard.type('Yes');
      await press(page, 'Add message');
      await page.keyboard.type('Second');
      await press(page, 'Move Message 2 up');
    },
    { messages: [{ text: 'Second' }, { text: 'First {{first_name}}', quick_replies: ['Yes'] }] },
  ],
  [
    'ask',
    { type: 'ask', prompt: '' },
    async (page) => {
      await fill(page, 'Question', 'Which size?');
      await choose(page, 'Expected answer', 'One of several choices');
      await press(page, 'Add choice');
      await page.keyboard.type('S');
      await press(page, 'Add choice');
      await page.keyboard.type('M');
      await tabTo(page, 'Saved value (optional)');
      await page.keyboard.type('medium');
      await tabTo(page, 'Save answer to (optional)');
      await page.keyboard.type('shirt');
      await choose(page, 'Save answer to (optional)', 'Create field “shirt”');
      await press(page, 'Create field');
      await expect
        .poll(() => page.locator('.panel').getByLabel('Save answer to (optional)').first().inputValue())
        .toBe('Shirt (shirt)');
      await toHead(page);
      await fill(page, 'Retries after an invalid answer', '3');
      await fill(page, 'Text of a retry (optional)', 'Again?');
      await fill(page, 'Wait for the answer', '2');
      await choose(page, 'Wait for the answer: unit', 'hours');
      await page.locator('.panel').getByText('PT2H', { exact: true }).waitFor();
      await choose(page, 'Messages sent before the question', 'Take as the answer');
    },
    {
      prompt: 'Which size?',
      expects: 'choice',
      choices: ['S', { label: 'M', value: 'medium' }],
      save_to: 'shirt',
      retries: 3,
      retry_text: 'Again?',
      timeout: 'PT2H',
      early: 'take',
    },
  ],
  [
    'condition',
    { type: 'condition', rules: [], next: { false: null } },
    async (page) => {
      await choose(page, 'Rules that must hold', 'At least one');
      await press(page, 'Add rule');
      await page.keyboard.type('age');
      await choose(page, 'Comparison', 'is at least');
      await fill(page, 'Value', '18');
      await press(page, 'Add rule');
      await page.keyboard.type('tags');
    },
    {
      match: 'any',
      rules: [
        { field: 'age', op: 'gte', value: 18 },
        { field: 'tags', op: 'is', value: '' },
      ],
      next: { false: null },
    },
  ],
  [
    'delay',
    { type: 'delay', until: '{{due}}' },
    async (page) => {
      await choose(page, 'Wait', 'For a while');
      await fill(page, 'How long', '90');
      await choose(page, 'How long: unit', 'minutes');
      await tabTo(page, /^Only go on within a window/);
      await page.keyboard.press('Space');
      await tabTo(page, 'Mon');
      await page.keyboard.press('Space');
      await tabTo(page, 'Fri');
      await page.keyboard.press('Space');
      await tabTo(page, 'From');
      await page.keyboard.type('0830AM');
    },
    { for: 'PT90M', window: { days: ['monday', 'friday'], from: '08:30', to: '18:00' } },
  ],
  [
    'set_field',
    { type: 'set_field', field: '', value: '' },
    async (page) => {
      await choose(page, 'Field', 'Age (age)');
      await choose(page, 'Change', 'Increase by');
      await fill(page, 'Value', '5');
    },
    { field: 'age', op: 'increment', value: 5 },
  ],
  [
    'clear_field',
    { type: 'clear_field', field: 'age' },
    async (page) => choose(page, 'Field', 'first_name'),
    { field: 'first_name' },
  ],
  [
    'add_tag',
    { type: 'add_tag', tag: '' },
    async (page) => {
      await tabTo(page, 'Tag');
      await page.keyboard.type('vip');
      await choose(page, 'Tag', 'Create tag “vip”');
    },
    { tag: 'vip' },
  ],
  [
    'remove_tag',
    { type: 'remove_tag', tag: 'old' },
    async (page) => {
      await press(page, 'Use placeholders');
      await toHead(page);
      await fill(page, 'Tag', 'from-{{channel}}');
    },
    { tag: 'from-{{channel}}' },
  ],
  [
    'split',
    { type: 'split', weights: { a: 50, b: 50 } },
    async (page) => {
      await fill(page, 'Way a', '70');
      await fill(page, 'Way b', '20');
      await press(page, 'Add way c');
      await toHead(page);
      await fill(page, 'Way c', '10');
      await page.locator('.panel').getByText('Sum: 100').waitFor();
    },
    { weights: { a: 70, b: 20, c: 10 } },
  ],
  [
    'wait_event',
    { type: 'wait_event', next: { timeout: null } },
    async (page) => {
      await choose(page, 'Event', 'Order status changes');
      await press(page, 'Add rule');
      await page.keyboard.type('event.order.to');
      await fill(page, 'Value', 'shipped');
      await tabTo(page, /^Only events from now on/);
      await page.keyboard.press('Space');
      await fill(page, 'Wait for the event', '3');
    },
    {
      event: 'order_status_changed',
      rules: [{ field: 'event.order.to', op: 'is', value: 'shipped' }],
      fresh: true,
      timeout: 'P3D',
      next: { timeout: null },
    },
  ],
  [
    'handover',
    { type: 'handover', reason: '', next: { timeout: null } },
    async (page) => {
      await fill(page, 'Reason for the agent', 'Needs help');
      await fill(page, 'Wait for the agent', '1');
      await tabTo(page, 'On resolved');
    },
    { reason: 'Needs help', timeout: 'P1D', next: { timeout: null } },
  ],
  ['goto', { type: 'goto', block: '' }, async (page) => choose(page, 'Go on with', 'The end (end)'), { block: 'end' }],
  [
    'close_conversation',
    { type: 'close_conversation' },
    async (page) => choose(page, 'On next', 'The end (end)'),
    { next: { default: 'end' } },
  ],
  ['end', { type: 'end' }, async (page) => fill(page, 'Name of the block', 'Done'), { name: 'Done' }],
];

test.for(table)('the form of %s is filled in by keyboard alone', async ([kind, block, act, expected]) => {
  const definition = { schema_version: 1, start: 'it', triggers: [], blocks: [{ id: 'it', ...block }, end] };
  const { page, stored } = await openBuilder(both, definition, {
    customFields: [{ key: 'age', name: 'Age', type: 'number' }],
  });
  const panel = await openBlock(page, 'it');
  await act(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => findBarriers(page)).toEqual([]);
  await panel.waitFor();
  await expect.poll(async () => (await stored()).blocks[0]).toEqual({ id: 'it', type: kind, ...expected });
});

test('the form of start_flow is filled in by keyboard alone', async () => {
  const { page, stored, create } = await openBuilder(both, {
    schema_version: 1,
    start: 'it',
    triggers: [],
    blocks: [{ id: 'it', type: 'start_flow', flow_id: '' }, end],
  });
  const other = await create(undefined, 'Other flow');
  await page.reload();
  await openBlock(page, 'it');
  await choose(page, 'Flow', 'Other flow');
  await choose(page, 'Then', 'End this flow');
  await press(page, 'Add parameter');
  await toHead(page);
  await fill(page, 'Name', 'size');
  await fill(page, 'Value', '{{channel}}');
  expect(await findBarriers(page)).toEqual([]);
  await expect
    .poll(async () => (await stored()).blocks[0])
    .toEqual({
      id: 'it',
      type: 'start_flow',
      flow_id: other.id,
      mode: 'switch',
      params: { size: '{{channel}}' },
    });
});
