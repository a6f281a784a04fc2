import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventReader } from '../../../packages/webchat/src/live/event-stream.ts';

const stream = [
  ': here\n\n',
  'event: changes\ndata: {"a":1}\n\n',
  'data: plain\r\n\r\n',
  'event: typing\ndata: one\ndata: two\n\n',
  ': heartbeat\n\n',
  'event: reset\n\n',
  'event: changes\ndata: {"b":"é\u2028"}\n\n',
].join('');

const expected = [
  { event: 'changes', data: '{"a":1}' },
  { event: 'message', data: 'plain' },
  { event: 'typing', data: 'one\ntwo' },
  { event: 'changes', data: '{"b":"é\u2028"}' },
];

test('events are the same, wherever the network cuts the stream into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (lengths) => {
      const read = createEventReader();
      const events = [];
      for (let at = 0, piece = 0; at < stream.length; piece += 1) {
        const length = lengths[piece % lengths.length] ?? 1;
        events.push(...read(stream.slice(at, at + length)));
        at += length;
      }
      expect(events).toEqual(expected);
    }),
  );
});

test('an event without end is refused, and not kept for ever', () => {
  const read = createEventReader();
  const piece = `data: ${'x'.repeat(1_000_000)}`;
  expect(() => {
    for (let pieces = 0; pieces < 5; pieces += 1) read(piece);
  }).toThrow('too long');
});
