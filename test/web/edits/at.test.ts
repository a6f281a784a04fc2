import { array, assert, constantFrom, json, property } from 'fast-check';
import { expect, test } from 'vitest';
import { getAt, setAt } from '../../../src/web/pages/flows/edits/at.ts';

const block = { id: 'a', messages: [{ text: 'x' }, { text: 'y', quick_replies: ['Yes'] }], n: 7 };

test.for<[string, string, unknown, unknown]>([
  ['changes a value', 'messages.0.text', 'z', { ...block, messages: [{ text: 'z' }, block.messages[1]] }],
  ['adds a value', 'prompt', 'Hi', { ...block, prompt: 'Hi' }],
  ['takes a value away', 'n', undefined, { id: 'a', messages: block.messages }],
  ['takes an item out of its list', 'messages.0', undefined, { ...block, messages: [block.messages[1]] }],
  [
    'adds an item to the end of a list',
    'messages.2',
    { text: 'z' },
    { ...block, messages: [...block.messages, { text: 'z' }] },
  ],
  ['makes what is missing on the way', 'window.days.0', 'monday', { ...block, window: { days: ['monday'] } }],
  ['leaves a list alone that has no such place', 'messages.9', 'z', block],
  ['leaves a value alone that has nothing within', 'n.text', 'z', block],
])('an edit at a path %s', ([, path, value, expected]) => {
  expect(setAt(block, path, value)).toEqual(expected);
});

test('an edit at a path shares what it does not change, and reads back what it wrote', () => {
  const changed = setAt(block, 'messages.0.text', 'z');
  expect(getAt(changed, 'messages.1')).toBe(block.messages[1]);
  const part = constantFrom('a', 'messages', '0', '1', 'text', '__proto__', 'constructor');
  assert(
    property(json(), array(part, { minLength: 1, maxLength: 4 }), (text, parts) => {
      const within: unknown = JSON.parse(text);
      const path = parts.join('.');
      const written = setAt(within, path, 'new');
      expect([written, getAt(written, path)]).toEqual(
        getAt(written, path) === 'new' ? [written, 'new'] : [within, getAt(within, path)],
      );
    }),
  );
});
