import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { definitionJsonSchema } from '../../src/shared/flows/definition/definition.ts';
import { exampleFlow } from '../../src/shared/flows/example.ts';
import { editOf } from '../../src/web/pages/flows/json/complete/edit.ts';
import { proposalsAt } from '../../src/web/pages/flows/json/complete/proposals.ts';
import type { Schema } from '../../src/web/pages/flows/json/complete/schema.ts';

const schema: Schema = JSON.parse(JSON.stringify(definitionJsonSchema()));

/** What is proposed where `|` stands in a text. */
const propose = (text: string) => proposalsAt(text.replace('|', ''), text.indexOf('|'), schema).proposals;

const labels = (text: string): string[] => propose(text).map(({ label }) => label);

/** A definition with this block after two others. */
const withBlock = (block: string): string =>
  `{"start": "a", "blocks": [{"id": "a", "type": "end"}, {"id": "b", "type": "end"}, ${block}], "ui": {}}`;

const table: readonly [string, string, readonly string[]][] = [
  ['keys of a definition', '{|}', ['schema_version', 'start', 'triggers', 'reentry', 'ui', 'blocks']],
  [
    'only keys that are missing',
    '{"start": "a", "ui": {}, |, "blocks": []}',
    ['schema_version', 'triggers', 'reentry'],
  ],
  ['keys in an unclosed text', '{"start": "a",\n "bl|\n', ['schema_version', 'triggers', 'reentry', 'ui', 'blocks']],
  ['what all blocks have, before the type', withBlock('{"id": "c", |}'), ['type', 'name', 'next']],
  ['what all blocks have, of an unknown type', withBlock('{"type": "no", "|"}'), ['id', 'name', 'next']],
  ['keys of the type of block', withBlock('{"id": "c", "|", "type": "goto"}'), ['name', 'block', 'next']],
  ['the key being written, too', withBlock('{"id": "c", "type": "goto", "blo|ck": "a"}'), ['name', 'block', 'next']],
  ['keys after a forgotten comma', withBlock('{"id": "c", "type": "goto"\n "|"}'), ['name', 'block', 'next']],
  [
    'keys in a list',
    withBlock('{"type": "send", "messages": [{"text": "a"}, {|}]}'),
    ['text', 'image_url', 'quick_replies'],
  ],
  ['keys of the object among alternatives', withBlock('{"type": "ask", "choices": [{"|"}]}'), ['label', 'value']],
  ['ports of the type', withBlock('{"type": "handover", "next": {|}}'), ['resolved', 'timeout']],
  ['ports that are missing', withBlock('{"type": "handover", "next": {"timeout": null, |}}'), ['resolved']],
  [
    'blocks and the end for a port',
    withBlock('{"id": "c", "type": "send", "next": {"default": |}}'),
    ['a', 'b', 'c', 'null'],
  ],
  ['blocks for the start', '{"start": "|", "blocks": [{"id": "a"}, {"id": "b"}, {"id": ""}, {"id": "a"}]}', ['a', 'b']],
  ['blocks for a goto', withBlock('{"type": "goto", "block": "|"}'), ['a', 'b']],
  ['nothing for the id of a block', withBlock('{"type": "goto", "id": "|"}'), []],
  ['blocks for positions', withBlock('{}').replace('"ui": {}', '"ui": {"positions": {"b": {}, |}}'), ['a']],
  ['an enum, its default first', withBlock('{"type": "condition", "match": "an|"}'), ['all', 'any']],
  [
    'an enum in a list',
    withBlock('{"type": "delay", "window": {"days": ["monday", "tu|"]}}'),
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ],
  ['true and false, the default first', '{"triggers": [{"type": "keyword", "interrupt": |}]}', ['false', 'true']],
  [
    'types of triggers, whatever is chosen',
    '{"triggers": [{"type": "key|word"}]}',
    [
      'api',
      'start_link',
      'keyword',
      'tag_applied',
      'new_contact',
      'order_placed',
      'order_status_changed',
      'default_reply',
    ],
  ],
  ['examples of a duration', withBlock('{"type": "delay", "for": "|"}'), ['PT1H', 'P3D']],
  ['an empty object for a block', '{"blocks": [|]}', ['{}']],
  ['an empty list', '{"blocks": |}', ['[]']],
  ['nothing in a free text', withBlock('{"type": "ask", "prompt": "Hello, wor|ld"}'), []],
  ['nothing after a value of a list', '{"blocks": [{} |]}', []],
  ['nothing below an unknown key', '{"nothing": {"x": {|}}}', []],
  ['nothing outside of the object', '{} |', []],
];

test.for(table)('the JSON editor proposes %s', ([, text, expected]) => {
  expect(labels(text)).toEqual(expected);
});

test('the type of a block is one of all blocks, also while another type is written', () => {
  for (const type of ['', 'ask', 'nothing']) {
    const found = labels(withBlock(`{"id": "c", "type": "${type}|"}`));
    expect(found).toEqual(expect.arrayContaining(['send', 'ask', 'external_request', 'goto', 'end']));
  }
});

test('a proposed key brings its description and a value to begin with, the cursor in it', () => {
  const shown = (text: string) =>
    propose(text).map(
      ({ json, caret, opensNext }) => `${json.slice(0, caret)}|${json.slice(caret)}${opensNext ? '…' : ''}`,
    );
  expect(shown('{|}')).toEqual([
    '"schema_version": 1|',
    '"start": "|"',
    '"triggers": [|]',
    '"reentry": "|"…',
    '"ui": {|}',
    '"blocks": [|]',
  ]);
  expect(shown(withBlock('{"type": "external_request", |}'))).toEqual(
    expect.arrayContaining(['"method": "|"…', '"headers": {|}', '"safe_to_repeat": false|', '"next": {|}']),
  );
  expect(shown(withBlock('{"type": "send", "next": {|}}'))).toEqual(['"default": "|"…', '"failed": "|"…']);
  expect(propose('{|}')[1]).toMatchObject({ detail: 'The block that every run begins with.' });
});

/** The text after the proposal with this label was taken where `|` stands, with the cursor in it. */
const take = (marked: string, label: string): string => {
  const pos = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { of, proposals } = proposalsAt(text, pos, schema);
  const proposal = proposals.find((found) => found.label === label);
  if (!proposal) throw new TypeError(`${label} is not proposed`);
  const { changes, caret } = editOf(text, pos, { proposal, of });
  let edited = text;
  for (const { from, to = from, insert } of changes.toReversed())
    edited = edited.slice(0, from) + insert + edited.slice(to);
  return `${edited.slice(0, caret)}|${edited.slice(caret)}`;
};

test.for([
  ['in an empty object', '{|}', 'triggers', '{"triggers": [|]}'],
  ['over a key begun in quotes', '{"tri|"}', 'triggers', '{"triggers": [|]}'],
  ['over an unclosed text', '{"tri|\n}', 'triggers', '{"triggers": [|]\n}'],
  ['with a comma before the next key', '{"tri|"\n "ui": {}}', 'triggers', '{"triggers": [|],\n "ui": {}}'],
  ['with the comma that was forgotten', '{"ui": {}\n tri|}', 'triggers', '{"ui": {},\n "triggers": [|]}'],
  ['right after a value', '{"start": "a"|}', 'ui', '{"start": "a", "ui": {|}}'],
  ['over a key, whose value stays', '{"st|": "a"}', 'reentry', '{"reentry"|: "a"}'],
  ['over a value in quotes', '{"reentry": "al|l"}', 'allow', '{"reentry": "allow"|}'],
  [
    'over a word',
    '{"triggers": [{"type": "keyword", "interrupt": tr|}]}',
    'true',
    '{"triggers": [{"type": "keyword", "interrupt": true|}]}',
  ],
] as const)('the JSON editor writes what is chosen %s', ([, text, label, expected]) => {
  expect(take(text, label)).toBe(expected);
});

test('references and alternatives of a schema are followed, also those that never end', () => {
  const referring: Schema & { $defs: object } = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/properties/b' }, c: { $ref: '#/nowhere' } },
    $defs: { a: { oneOf: [{ enum: ['x'] }, { anyOf: [{ type: 'boolean' }] }] } },
  };
  const found = (text: string) =>
    proposalsAt(text, text.indexOf(' ') + 1, referring).proposals.map(({ label }) => label);
  expect([found('{"a": }'), found('{"b": }'), found('{"c": }')]).toEqual([['x', 'true', 'false'], [], []]);
});

test('at most 500 ids of blocks are proposed, and no position of a cut text breaks a proposal', () => {
  const blocks = Array.from({ length: 600 }, (_, index) => ({ id: `b${index}` }));
  expect(labels(`{"start": |, "blocks": ${JSON.stringify(blocks)}}`)).toHaveLength(500);
  const whole = JSON.stringify(exampleFlow(), null, 2);
  assert(
    property(integer({ min: 0, max: whole.length }), integer({ min: 0, max: 40 }), (pos, cut) => {
      const { token } = proposalsAt(whole.slice(0, pos) + whole.slice(pos + cut), pos, schema);
      expect(token.from <= pos && pos <= token.to).toBe(true);
    }),
  );
  expect(labels(`${'['.repeat(50_000)}|`)).toEqual([]);
});
