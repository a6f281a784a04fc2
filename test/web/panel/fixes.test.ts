import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { validateDefinition } from '../../../src/shared/flows/definition/validate.ts';
import { unreachable } from '../../../src/shared/unreachable.ts';
import type { AnyDefinition } from '../../../src/web/pages/flows/definition-text.ts';
import { connect } from '../../../src/web/pages/flows/edits/connect.ts';
import type { Fix } from '../../../src/web/pages/flows/panel/problems/fix.ts';
import { fixableCodes, fixesOf } from '../../../src/web/pages/flows/panel/problems/fixes.ts';
import { aKnown } from '../../helpers/definitions.ts';

type Raw = Readonly<Record<string, unknown>>;

const known = aKnown();

const end = { id: 'end', type: 'end' };

const definition = (...blocks: readonly Raw[]): AnyDefinition => ({
  schema_version: 1,
  start: 'a',
  triggers: [],
  blocks: [...blocks, end],
});

const ask = (rest: Raw) => ({
  id: 'a',
  type: 'ask',
  prompt: '?',
  next: { invalid: null, timeout: null, failed: null },
  ...rest,
});
const say = (text: string, rest: Raw = {}) => ({ id: 'a', type: 'send', messages: [{ text }], ...rest });
const when = (rule: Raw) => ({ id: 'a', type: 'condition', rules: [rule], next: { false: null } });
const request = (rest: Raw) => ({
  id: 'a',
  type: 'external_request',
  method: 'POST',
  url: 'https://a.example/',
  next: { error: null, timeout: null },
  ...rest,
});

/** By code a definition that has it, and what can be done about it. */
const table: readonly (readonly [code: string, definition: AnyDefinition, labels: readonly string[]])[] = [
  ['unknown_field', definition(ask({ save_to: 'siez' })), ['Use “size”', 'Create field “siez”']],
  ['unknown_field', definition(when({ field: 'carrier', op: 'is', value: 'x' })), ['Create field “carrier”']],
  ['unknown_field', definition(ask({ save_to: 'Not a key!' })), []],
  [
    'unknown_placeholder',
    definition(say('{{size|default:"x"}} {{ first_nam|upper|default:"x" }}!')),
    ['Use {{first_name}}', 'Create field “first_nam”'],
  ],
  ['unknown_credential', definition(request({ credential: 'shpo' })), ['Use “shop”']],
  [
    'unknown_credential',
    definition(request({ headers: { 'X-Key': '{{credential.shpo}}' } })),
    ['Use {{credential.shop}}'],
  ],
  ['unknown_tag', definition({ id: 'a', type: 'add_tag', tag: 'vipp' }), ['Use “vip”', 'Create tag “vipp”']],
  ['unknown_block_type', definition({ id: 'a', type: 'sned' }), ['Use “send”']],
  ['unknown_port', definition(say('x', { next: { done: null } })), []],
  [
    'unknown_port',
    definition({ id: 'a', type: 'split', weights: { a: 1, b: 1 }, next: { d: null } }),
    ['Remove port “d”'],
  ],
  ['may_be_empty', definition(say('Hi {{ size | upper }}!')), ['Add a default']],
  ['single_braces', definition(say('Hi {first_name}!')), ['Use {{first_name}}']],
  ['open_error_port', definition(ask({ next: { timeout: null } })), ['Connect “invalid” to …', 'End the flow here']],
  [
    'missing_port',
    definition({ ...when({ field: 'size', op: 'is_set' }), next: {} }),
    ['Connect “false” to …', 'End the flow here'],
  ],
  [
    'missing_target',
    definition(say('x', { next: { default: 'endd' } })),
    ['Use “end”', 'Connect “default” to …', 'End the flow here'],
  ],
  ['missing_target', definition({ id: 'a', type: 'goto', block: 'endd' }), ['Use “end”']],
  ['no_start', { ...definition(say('x')), start: 'ennd' }, ['Use “end”']],
  ['no_start', { schema_version: 1, blocks: [say('x')] }, ['Start with “a”']],
  ['duplicate_id', definition(say('x'), say('y'), { id: 'a_2', type: 'end' }), ['Rename to “a_3”']],
  [
    'unreachable_block',
    definition({ id: 'a', type: 'goto', block: 'end' }, { id: 'b', type: 'goto', block: 'end' }),
    ['Remove block'],
  ],
  ['invalid_shape', definition(say('x', { mesages: [] })), ['Remove “mesages”']],
  ['invalid_shape', definition(say('x', { nmae: 'X' })), ['Rename to “name”', 'Remove “nmae”']],
  [
    'invalid_shape',
    definition({ ...say('x'), messages: [{ text: 'x', imageurl: 'y' }] }),
    ['Rename to “image_url”', 'Remove “imageurl”'],
  ],
  ['no_duration', definition({ id: 'a', type: 'delay' }), ['Wait one hour']],
  [
    'no_duration',
    definition({ id: 'a', type: 'delay', for: 'PT1H', until: '2026-03-01' }),
    ['Remove “until”', 'Remove “for”'],
  ],
  ['duplicate_choice', definition(ask({ expects: 'choice', choices: ['A', 'b', 'a'] })), ['Remove this choice']],
  ['no_choices', definition(ask({ expects: 'choice' })), ['Expect a text']],
  ['unused_choices', definition(ask({ choices: ['A'] })), ['Expect a choice', 'Remove “choices”']],
  ['unused_value', definition(when({ field: 'size', op: 'is_set', value: 'x' })), ['Remove “value”']],
  ['unused_body', definition(request({ body: '{}', body_type: 'none' })), ['Remove “body”']],
  ['body_of_get', definition(request({ method: 'GET', body: '{}' })), ['Send as POST']],
  ['refused_header', definition(request({ headers: { Host: 'x', 'X.Y': 'z' } })), ['Remove “Host”']],
  ['wrong_operator', definition(when({ field: 'size', op: 'gt', value: '1' })), ['Compare with “is”']],
  ['wrong_operator', definition(when({ field: 'likes', op: 'has_tag', value: 'vip' })), ['Use “tags”']],
  [
    'wrong_type',
    definition({ id: 'a', type: 'set_field', field: 'size', op: 'increment', value: 1 }),
    ['Set it instead'],
  ],
  [
    'wrong_type',
    definition(request({ mapping: [{ path: '$.a', field: 'size', read_as: 'epoch_seconds' }] })),
    ['Remove “read_as”'],
  ],
];

/** Problems about which only their writer knows what to do: the form leads to their field. */
const withoutFix = [
  'endless_cycle',
  'fires_itself',
  'flow_not_live',
  'hidden_choices',
  'invalid_date',
  'invalid_header',
  'invalid_json',
  'invalid_path',
  'invalid_pattern',
  'invalid_template',
  'invalid_url',
  'invalid_value',
  'left_out',
  'misplaced_credential',
  'never_retried',
  'no_value',
  'over_channel_limit',
  'recursion',
  'refused_url',
  'secret_in_header',
  'too_large',
  'too_many_blocks',
  'too_many_credentials',
  'too_many_issues',
  'too_many_paths',
  'too_many_patterns',
  'unfilled_placeholder',
  'unknown_flow',
];

const applied = (fix: Fix, to: AnyDefinition): { definition: AnyDefinition; known: typeof known } => {
  switch (fix.type) {
    case 'edit':
      return { definition: fix.change(to), known };
    case 'connect':
      return { definition: connect(to, { from: fix.from, port: fix.port, to: 'end' }), known };
    case 'create_field': {
      const field = { key: fix.key, name: fix.key, type: fix.fieldType, options: null, default: 'x' };
      return { definition: to, known: { ...known, fields: new Map([...known.fields, [fix.key, field]]) } };
    }
    case 'create_tag':
      return { definition: to, known: { ...known, tags: new Set([...known.tags, fix.name]) } };
    default:
      return unreachable(fix);
  }
};

test.for(table)('each button of the problem %s fixes it', ([code, broken, labels]) => {
  const [issue] = validateDefinition(broken, known).filter((found) => found.code === code);
  const fixes = issue ? fixesOf(issue, broken) : [];
  expect(fixes.map(({ label }) => label)).toEqual(labels);
  for (const fix of fixes) {
    const { definition: fixed, known: has } = applied(fix, broken);
    const left = validateDefinition(fixed, has);
    expect(left.filter((other) => other.code === code && other.path === issue?.path)).toEqual([]);
  }
});

test('every kind of problem that the checker has is fixed in the table, or is known to have no fix', () => {
  const files = globSync('src/shared/flows/{definition,blocks}/*.ts');
  const codesIn = (file: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/(?:code: |add\()'([a-z_]+)'/g)].map(([, code = '']) => code);
  const codes = new Set(files.flatMap(codesIn));
  expect(codes.size).toBeGreaterThan(40);
  const tested = new Set(table.map(([code]) => code));
  expect([...codes].filter((code) => !tested.has(code) && !withoutFix.includes(code))).toEqual([]);
  expect(fixableCodes.filter((code) => !tested.has(code))).toEqual([]);
  expect(withoutFix.filter((code) => fixableCodes.includes(code))).toEqual([]);
});

test('a fix finds its block where the list has changed since, and does nothing where the block is gone', () => {
  const broken = definition(say('Hi {first_name}!'));
  const [issue] = validateDefinition(broken, known).filter(({ code }) => code === 'single_braces');
  if (!issue) throw new TypeError('there is an issue');
  const moved = { ...broken, blocks: [{ id: 'new', type: 'end' }, ...(broken['blocks'] as Raw[])] };
  const [fix] = fixesOf(issue, moved);
  expect(fix?.type === 'edit' && fix.change(moved)).toEqual({
    ...moved,
    blocks: [{ id: 'new', type: 'end' }, say('Hi {{first_name}}!'), end],
  });
  expect(fixesOf(issue, { ...broken, blocks: [end] })).toEqual([]);
  expect(fixesOf(issue, { ...broken, blocks: [say('Hi Ada!'), end] })).toEqual([]);
  expect(fixesOf(issue, { blocks: 'none' })).toEqual([]);
});
