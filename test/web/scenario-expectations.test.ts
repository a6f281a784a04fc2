import { expect, test } from 'vitest';
import { expectTicked, listExpectable, readSpot } from '../../src/web/pages/flows/phone/scenarios/expectations.ts';
import { sayExpected } from '../../src/web/pages/flows/phone/scenarios/say-expected.ts';
import { aSimulationResult } from './helpers/simulation-result.ts';

const change = (type: 'field' | 'tag', name: string, value: unknown) => ({
  order: 1,
  run: 1,
  block_id: 'b',
  type,
  name,
  value,
});

test('what a conversation has changed is expected at first, and what was there before is not', () => {
  const simulation = aSimulationResult({
    status: 'completed',
    fields: { size: 'M', old: 1 },
    tags: ['vip'],
    changes: [change('field', 'size', 'M'), change('field', 'gone', null), change('field', 'first_name', 'Ada')],
  });
  const usual = listExpectable(simulation).filter(({ isUsual }) => isUsual);
  expect(usual.map(({ key }) => key)).toEqual(['status', 'messages', 'fields.size', 'fields.gone']);
  expect(expectTicked(simulation, new Set(usual.map(({ key }) => key)))).toEqual({
    status: 'completed',
    messages: [],
    fields: { size: 'M', gone: null },
  });
  expect(expectTicked(simulation, new Set(['tags']))).toEqual({ tags: ['vip'] });
  expect(expectTicked(simulation, new Set())).toEqual({});
});

test('a difference is placed by its message from 1 on, its field, or the whole', () => {
  expect(
    ['messages.0', 'messages.1.attachments', 'fields.a.b', 'status', 'tags', 'simulation', 'other'].map(readSpot),
  ).toEqual([
    { type: 'message', number: 1 },
    { type: 'message', number: 2, part: 'attachments' },
    { type: 'field', name: 'a.b' },
    { type: 'status' },
    { type: 'tags' },
    { type: 'simulation' },
    { type: 'simulation' },
  ]);
});

test('a message is expected with its image and its files where it has any, and else by its text', () => {
  const said = { order: 1, run: 1, block_id: 'b', quick_replies: [], sent_at: '2026-03-04T10:00:00.000Z' };
  const file = { id: 'med_1', content_type: 'image/png', size: 3, width: null, height: null };
  const simulation = aSimulationResult({
    messages: [
      { ...said, text: 'one', image_url: null, attachments: [] },
      { ...said, text: 'two', image_url: 'https://shop.example/a.png', attachments: [] },
      { ...said, text: 'three', image_url: null, attachments: [{ ...file, type: 'image', name: 'a.png' }] },
    ],
  });
  expect(expectTicked(simulation, new Set(['messages']))).toEqual({
    messages: [
      'one',
      { text: 'two', image_url: 'https://shop.example/a.png' },
      { text: 'three', attachments: [{ type: 'image', name: 'a.png' }] },
    ],
  });
});

test('what is expected of messages is said in words: their text, image and files', () => {
  const message = { type: 'message', number: 1 } as const;
  const [photo, paper] = [{ type: 'image', name: 'a.png' }, { type: 'file' }];
  const whole = { text: 'Yours', image_url: 'https://shop.example/a.png', attachments: [photo, paper] };
  expect(sayExpected(message, whole)).toBe('Yours + Image: https://shop.example/a.png + Image: a.png, File');
  expect(sayExpected(message, { attachments: [paper] })).toBe('File');
  expect(sayExpected(message, 'Yours')).toBe('Yours');
  expect(sayExpected(message, { image_url: null, attachments: [] })).toBe('a message');
  expect(sayExpected(message, null)).toBe('nothing');
  expect(sayExpected({ ...message, part: 'attachments' }, [photo, paper])).toBe('Image: a.png, File');
  expect(sayExpected({ ...message, part: 'attachments' }, [])).toBe('No files');
  expect(sayExpected({ ...message, part: 'image_url' }, null)).toBe('nothing');
});

test('ends, tags and fields that differ are said in words', () => {
  expect(sayExpected({ type: 'status' }, 'completed')).toBe('Completed');
  expect(sayExpected({ type: 'tags' }, ['vip', 'new'])).toBe('vip, new');
  expect(sayExpected({ type: 'tags' }, [])).toBe('No tags');
  expect(sayExpected({ type: 'field', name: 'size' }, null)).toBe('nothing');
  expect(sayExpected({ type: 'field', name: 'sizes' }, [1, 2])).toBe('[1,2]');
});
