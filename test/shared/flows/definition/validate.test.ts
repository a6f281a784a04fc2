import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Known } from '../../../../src/shared/flows/blocks/block.ts';
import { blocks } from '../../../../src/shared/flows/blocks/index.ts';
import { parseDefinition } from '../../../../src/shared/flows/definition/definition.ts';
import { isError, maxIssues, type Issue } from '../../../../src/shared/flows/definition/issues.ts';
import { keysAt } from '../../../../src/shared/flows/definition/known-keys.ts';
import { validateDefinition } from '../../../../src/shared/flows/definition/validate.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { aDefinition, aKnown } from '../../../helpers/definitions.ts';
import { aField, fieldMap } from '../../../helpers/block-context.ts';

const flowA = 'flow_01jd6z3qf5e8pb2zv0w8c4x1ka';
const flowB = 'flow_01jd6z3qf5e8pb2zv0w8c4x1kb';
const flowC = 'flow_01jd6z3qf5e8pb2zv0w8c4x1kc';

const say = (text: string, rest: object = {}) => ({ id: 'say', type: 'send', messages: [{ text }], ...rest });
const request = (rest: object = {}) => ({
  id: 'call',
  type: 'external_request',
  method: 'POST',
  url: 'https://shop.example/',
  next: { error: null, timeout: null },
  ...rest,
});

const codes = (issues: readonly Issue[]): string[] => issues.map(({ code }) => code);
const codesOf = (...blocks: object[]): string[] => codes(validateDefinition(aDefinition(blocks as never), aKnown()));

const shirts = aDefinition(
  [
    {
      id: 'ask_size',
      type: 'ask',
      prompt: 'Which size, {{first_name|default:"friend"}}?',
      expects: 'choice',
      choices: ['S', 'M', 'L'],
      save_to: 'size',
      retries: 2,
      timeout: 'PT1H',
      next: { answered: 'stock', invalid: 'human', timeout: null, failed: null },
    },
    {
      id: 'stock',
      type: 'external_request',
      method: 'POST',
      url: 'https://shop.example/stock/{{size|default:"M"}}',
      credential: 'shop',
      headers: { 'X-Trace': '{{run.id}}', 'X-Key': '{{credential.shop}}' },
      body: '{"size": "{{size|default:"M"}}", "left": {{stock_left|default:0}}}',
      mapping: [{ path: '$.items[0].left', field: 'stock_left' }],
      next: { success: 'answer', error: 'human', timeout: 'human' },
    },
    { id: 'answer', type: 'send', messages: [{ text: '{{stock_left|default:0}} are left.' }], next: { failed: null } },
    { id: 'done', type: 'end' },
    { id: 'human', type: 'add_tag', tag: 'vip' },
  ],
  {
    triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'], priority: 10, interrupt: false }],
    reentry: 'one_active',
    ui: { positions: { ask_size: { x: 0, y: 0 } } },
  },
);

test('a request names at most ten credentials by placeholders', () => {
  const names = Array.from({ length: 11 }, (_, n) => `c${n}`);
  const credentials = new Map(names.map((name) => [name, { type: 'header' as const }]));
  const codesWith = (named: readonly string[]) => {
    const body = JSON.stringify(named.map((name) => `{{credential.${name}}}`));
    return codes(validateDefinition(aDefinition([request({ body })]), aKnown({ credentials })));
  };
  expect(codesWith(names)).toEqual(['too_many_credentials']);
  expect(codesWith(names.slice(1))).toEqual([]);
});

describe('the name of a block', () => {
  const named = (name: unknown) => validateDefinition(aDefinition([say('Hi', { name })]), aKnown());

  test.for([' Ask the size ', 'x'.repeat(60), 'Say {{first_name}} and {size}', 'Größe 👕'])(
    'is shown as it is written, and is no issue: %s',
    (name) => {
      expect(named(name)).toEqual([]);
      expect(parseDefinition(aDefinition([say('Hi', { name })])).blocks[0]?.name).toBe(name.trim());
    },
  );

  test.for(['', '  ', 'x'.repeat(61), 7, null])('has 1 to 60 characters beside blanks: %j does not', (name) => {
    expect(named(name)).toMatchObject([{ code: 'invalid_shape', path: 'blocks.0.name', block_id: 'say' }]);
  });

  test('can be given to each type of block', () => {
    for (const { schema } of blocks) expect(keysAt(schema, [])).toContain('name');
  });
});

test('positions of blocks that are not there are no issue', () => {
  const ui = { positions: { gone: { x: 1, y: -2.5 } } };
  expect(validateDefinition({ ...shirts, ui }, aKnown())).toEqual([]);
});

test('a flow without a fault has no issues, and its defaults are filled in', () => {
  expect(validateDefinition(shirts, aKnown())).toEqual([]);
  const parsed = parseDefinition(shirts);
  expect(parsed.blocks[1]).toMatchObject({ timeout_ms: 10_000, attempts: 3, safe_to_repeat: false });
  expect(parseDefinition(parsed)).toEqual(parsed);
});

describe('errors', () => {
  test.for<[string, object[], Partial<Issue>]>([
    ['two blocks of one id', [say('a'), say('b')], { code: 'duplicate_id', path: 'blocks.1.id', block_id: 'say' }],
    [
      'a port that leads to no block, with the nearest name',
      [say('a', { next: { default: 'ennd' } }), { id: 'end', type: 'end' }],
      { code: 'missing_target', path: 'blocks.0.next.default', block_id: 'say', hint: 'Did you mean "end"?' },
    ],
    [
      'a goto that leads to no block',
      [{ id: 'g', type: 'goto', block: 'x' }],
      { code: 'missing_target', path: 'blocks.0.block' },
    ],
    [
      'a condition without its port false',
      [{ id: 'if', type: 'condition', rules: [{ field: 'size', op: 'is_set' }] }],
      { code: 'missing_port', path: 'blocks.0.next.false' },
    ],
    [
      'a port that this split does not have',
      [{ id: 's', type: 'split', weights: { a: 1, b: 1 }, next: { c: null } }],
      { code: 'unknown_port', path: 'blocks.0.next.c' },
    ],
    [
      'an unknown field to save to, with the nearest name',
      [{ id: 'a', type: 'clear_field', field: 'sise' }],
      { code: 'unknown_field', path: 'blocks.0.field', hint: 'Did you mean "size"?' },
    ],
    [
      'an unknown field of a mapping',
      [request({ mapping: [{ path: '$', field: 'stock' }] })],
      { code: 'unknown_field', path: 'blocks.0.mapping.0.field' },
    ],
    ...(
      [
        [{ path: '$statuss', op: 'is', value: 200 }, 'invalid_path', 'path'],
        [{ path: '$.ok', op: 'is' }, 'no_value', 'value'],
        [{ path: '$.ok', op: 'is_set', value: 1 }, 'unused_value', 'value'],
        [{ path: '$body', op: 'matches', value: '(' }, 'invalid_pattern', 'value'],
        [{ path: '$status', op: 'is', value: 'fine' }, 'invalid_value', 'value'],
        [{ path: '$.ok', op: 'is', value: '{{size}}' }, 'unfilled_placeholder', 'value'],
      ] as const
    ).map(([rule, code, key]): [string, object[], Partial<Issue>] => [
      `a rule of success_when with ${code}`,
      [request({ success_when: { rules: [rule] } })],
      { code, path: `blocks.0.success_when.rules.0.${key}` },
    ]),
    [
      'a first wait that is longer than the longest one',
      [request({ retry: { first_wait: 'PT2M', longest_wait: 'PT1M' } })],
      { code: 'invalid_value', path: 'blocks.0.retry.first_wait' },
    ],
    ...(
      [
        ['attempts', { attempts: 6 }],
        ['retry.first_wait', { retry: { first_wait: 'PT301S' } }],
        ['retry.longest_wait', { retry: { longest_wait: 'P1D' } }],
        ['retry.statuses.0', { retry: { statuses: [199] } }],
      ] as const
    ).map(([path, rest]): [string, object[], Partial<Issue>] => [
      `a retry policy beyond its bounds: ${path}`,
      [request(rest)],
      { code: 'invalid_shape', path: `blocks.0.${path}` },
    ]),
    [
      'a mapping of each item to a field that holds no list',
      [request({ for_each: { items: '{{likes}}' }, mapping: [{ path: '$.left', field: 'stock_left' }] })],
      { code: 'wrong_type', path: 'blocks.0.mapping.0.field' },
    ],
    [
      'an item where no request is made for each',
      [request({ query: { of: '{{item.id}}' } })],
      { code: 'unknown_placeholder', path: 'blocks.0.query.of' },
    ],
    [
      'an item in the template of the items themselves',
      [request({ for_each: { items: '{{item.parts}}' } })],
      { code: 'unknown_placeholder', path: 'blocks.0.for_each.items' },
    ],
    [
      'a path of success_when that cannot be read, with what can be',
      [request({ success_when: { rules: [{ path: '$.a[', op: 'is_set' }] } })],
      { code: 'invalid_path', hint: 'Write $status, $headers.<name>, $body, or a path such as $.items[0].ok.' },
    ],
    ...['$..a..b', '$.a[?match(@.b, "x")]', '$headers.', 'items[', '$statuss'].map(
      (path): [string, object[], Partial<Issue>] => [
        `the path ${path}`,
        [request({ mapping: [{ path, field: 'size' }] })],
        { code: 'invalid_path', path: 'blocks.0.mapping.0.path' },
      ],
    ),
    [
      'a form of times for a field that holds none',
      [request({ error_mapping: [{ path: '$.a', field: 'size', read_as: 'rfc2822' }] })],
      { code: 'wrong_type', path: 'blocks.0.error_mapping.0.read_as' },
    ],
    [
      'an unknown field of a rule',
      [{ id: 'if', type: 'condition', rules: [{ field: 'langage', op: 'is_set' }], next: { false: null } }],
      { code: 'unknown_field', path: 'blocks.0.rules.0.field', hint: 'Did you mean "language"?' },
    ],
    [
      'an unknown placeholder, with the nearest name',
      [say('Hi {{frist_name|default:"x"}}')],
      { code: 'unknown_placeholder', path: 'blocks.0.messages.0.text', hint: 'Did you mean "first_name"?' },
    ],
    ['a part that a field does not have', [say('{{size.x|default:""}}')], { code: 'unknown_placeholder' }],
    ['a part that contact does not have', [say('{{contact.nothing|default:""}}')], { code: 'unknown_placeholder' }],
    [
      'a faulty template, with the place',
      [say('Hi {{first_name')],
      {
        code: 'invalid_template',
        path: 'blocks.0.messages.0.text',
        message: expect.stringMatching(/\(at character 16\)$/),
      },
    ],
    ...(
      [
        [{ query: { '{{size}}': '1' } }, 'query.{{size}}'],
        [{ form: { 'item[{{size}}]': '1' } }, 'form.item[{{size}}]'],
      ] as const
    ).map(([rest, path]): [string, object[], Partial<Issue>] => [
      `a placeholder where none is filled in: ${path}`,
      [request(rest)],
      { code: 'unfilled_placeholder', path: `blocks.0.${path}` },
    ]),
    [
      'a placeholder in a regular expression',
      [
        {
          id: 'if',
          type: 'condition',
          rules: [{ field: 'size', op: 'matches', value: '{{size}}' }],
          next: { false: null },
        },
      ],
      { code: 'unfilled_placeholder', path: 'blocks.0.rules.0.value' },
    ],
    ...(
      [
        ['{"a": }', 7],
        ['{"a": {{size}} {{size}}}', 16],
        ['{"a": "{{size}}}', 17],
        ["{'a': 1}", 2],
        ['{"a": \\{{size}}}', 7],
        ['{{size}}, 1', 9],
        ['', 1],
      ] as const
    ).map(([body, character]): [string, object[], Partial<Issue>] => [
      `a body that can never be JSON: ${body}`,
      [request({ body, body_type: 'json' })],
      { code: 'invalid_json', path: 'blocks.0.body', message: expect.stringContaining(`character ${character})`) },
    ]),
    ...['日本 {{size|default:""}}', 'a\nb', '\u0000'].map((value): [string, object[], Partial<Issue>] => [
      `a header that can never be sent: ${JSON.stringify(value)}`,
      [request({ headers: { 'X-Note': value } })],
      { code: 'invalid_header', path: 'blocks.0.headers.X-Note', message: expect.stringMatching(/character \d/) },
    ]),
    [
      'a url with a user name and password, with the place',
      [request({ url: 'https://user:pw@shop.example/' })],
      { code: 'invalid_url', path: 'blocks.0.url', message: expect.stringMatching(/password.*\(at character 9\)$/) },
    ],
    [
      'an unknown credential',
      [request({ credential: 'shopp' })],
      { code: 'unknown_credential', hint: 'Did you mean "shop"?' },
    ],
    [
      'an unknown credential in a header',
      [request({ headers: { X: '{{credential.shopp}}' } })],
      { code: 'unknown_credential', path: 'blocks.0.headers.X' },
    ],
    [
      'a bearer credential as a placeholder',
      [request({ headers: { X: '{{credential.crm}}' } })],
      { code: 'misplaced_credential' },
    ],
    [
      'a credential in a url',
      [request({ url: 'https://a.example/{{credential.shop}}' })],
      { code: 'misplaced_credential' },
    ],
    [
      'a credential that a filter would change',
      [request({ body: '{{credential.shop|upper}}' })],
      { code: 'misplaced_credential' },
    ],
    ['a credential in a message', [say('{{credential.shop}}')], { code: 'misplaced_credential' }],
    [
      'an unknown flow',
      [{ id: 'f', type: 'start_flow', flow_id: flowA }],
      { code: 'unknown_flow', path: 'blocks.0.flow_id' },
    ],
    ['a refused address', [request({ url: 'http://127.0.0.1/' })], { code: 'refused_url', path: 'blocks.0.url' }],
    ['another scheme', [request({ url: 'ftp://a.example/' })], { code: 'invalid_url' }],
    ['a host that is a placeholder', [request({ url: 'https://{{size|default:"x"}}/' })], { code: 'invalid_url' }],
    [
      'a header of the connection',
      [request({ headers: { Host: 'x' } })],
      { code: 'refused_header', path: 'blocks.0.headers.Host' },
    ],
    ['a GET with a body', [request({ method: 'GET', body: '{}' })], { code: 'body_of_get', path: 'blocks.0.body' }],
    [
      'a body that is not sent',
      [request({ body_type: 'form', body: '{}' })],
      { code: 'unused_body', path: 'blocks.0.body' },
    ],
    [
      'an operator that does not fit',
      [{ id: 'if', type: 'condition', rules: [{ field: 'size', op: 'gt', value: 1 }], next: { false: null } }],
      { code: 'wrong_operator', path: 'blocks.0.rules.0.op' },
    ],
    [
      'a rule without its value',
      [{ id: 'if', type: 'condition', rules: [{ field: 'size', op: 'is' }], next: { false: null } }],
      { code: 'no_value', path: 'blocks.0.rules.0.value' },
    ],
    ...['(?=a)', '(', '(a)\\1', 'a'.repeat(201), '((a{10}){10}){10}'].map(
      (value): [string, object[], Partial<Issue>] => [
        `the pattern ${value.slice(0, 20)}`,
        [{ id: 'if', type: 'condition', rules: [{ field: 'size', op: 'matches', value }], next: { false: null } }],
        { code: 'invalid_pattern', path: 'blocks.0.rules.0.value' },
      ],
    ),
    [
      'more patterns than a block may have',
      [
        {
          id: 'if',
          type: 'condition',
          rules: Array.from({ length: 6 }, () => ({ field: 'size', op: 'matches', value: 'a' })),
          next: { false: null },
        },
      ],
      { code: 'too_many_patterns', path: 'blocks.0.rules' },
    ],
    [
      'no weekday',
      [
        {
          id: 'if',
          type: 'condition',
          rules: [{ field: 'now.weekday', op: 'is', value: 'mon' }],
          next: { false: null },
        },
      ],
      { code: 'invalid_value' },
    ],
    [
      'a value that the field cannot hold',
      [{ id: 's', type: 'set_field', field: 'stock_left', value: 'many' }],
      { code: 'invalid_value', path: 'blocks.0.value' },
    ],
    [
      'an increment of a text',
      [{ id: 's', type: 'set_field', field: 'size', op: 'increment', value: 1 }],
      { code: 'wrong_type', path: 'blocks.0.op' },
    ],
    [
      'choices that look the same',
      [
        {
          id: 'a',
          type: 'ask',
          prompt: '?',
          expects: 'choice',
          choices: ['Ja', ' JA'],
          next: { invalid: null, timeout: null },
        },
      ],
      { code: 'duplicate_choice', path: 'blocks.0.choices.1' },
    ],
    [
      'a choice without choices',
      [{ id: 'a', type: 'ask', prompt: '?', expects: 'choice', next: { invalid: null, timeout: null } }],
      { code: 'no_choices', path: 'blocks.0.choices' },
    ],
    [
      'a condition without rules',
      [{ id: 'if', type: 'condition', rules: [], next: { false: null } }],
      { code: 'invalid_shape', path: 'blocks.0.rules', message: 'must have at least 1 item' },
    ],
    [
      'more rules than a condition may have',
      [
        {
          id: 'if',
          type: 'condition',
          rules: Array.from({ length: 21 }, () => ({ field: 'size', op: 'is_set' })),
          next: { false: null },
        },
      ],
      { code: 'invalid_shape', path: 'blocks.0.rules', message: 'must have at most 20 items' },
    ],
    ['a delay without a time', [{ id: 'd', type: 'delay' }], { code: 'no_duration', path: 'blocks.0.for' }],
    [
      'an unknown type, with the nearest name',
      [{ id: 'd', type: 'dely', for: 'PT1H' }],
      { code: 'unknown_block_type', block_id: 'd', path: 'blocks.0.type', hint: 'Did you mean "delay"?' },
    ],
    [
      'a field of the wrong shape',
      [{ id: 'd', type: 'delay', for: '1h' }],
      { code: 'invalid_shape', block_id: 'd', path: 'blocks.0.for' },
    ],
    [
      'a field that there is not',
      [{ id: 'e', type: 'end', label: 'x' }],
      { code: 'invalid_shape', path: 'blocks.0.label', message: 'is not a known field' },
    ],
    [
      'a block without an id',
      [say('a'), { type: 'end' }],
      { code: 'invalid_shape', path: 'blocks.1.id', message: 'is required', block_id: null },
    ],
  ])('%s', ([, blocks, expected]) => {
    const issues = validateDefinition(aDefinition(blocks as never), aKnown());
    expect(issues.filter(isError)).toEqual([expect.objectContaining({ severity: 'error', ...expected })]);
  });

  test.for<[string, unknown, string[]]>([
    ['no object', [], ['invalid_shape']],
    ['nothing', null, ['invalid_shape']],
    ['an empty object', {}, ['invalid_shape', 'invalid_shape']],
    ['no blocks', aDefinition([], { start: 'x' }), ['invalid_shape']],
    ['neither blocks nor a start', { schema_version: 1, triggers: [], blocks: [] }, ['invalid_shape']],
    ['a start that is no block', aDefinition([say('a')], { start: 'sai' }), ['no_start']],
    ['another version', aDefinition([say('a')], { schema_version: 2 }), ['invalid_shape']],
    ['a field that there is not', aDefinition([say('a')], { name: 'x' }), ['invalid_shape']],
    ['a trigger of no kind', aDefinition([say('a')], { triggers: [{ type: 'sunrise' }] }), ['invalid_shape']],
    ['501 blocks', aDefinition(Array.from({ length: 501 }, (_, n) => say('a', { id: `b${n}` }))), ['too_many_blocks']],
    ['more than 1 MiB', aDefinition([say('x'.repeat(1_048_576))]), ['too_large']],
    ['a block that is none', aDefinition([say('a'), null] as never), ['invalid_shape']],
  ])('%s', ([, definition, expected]) => {
    expect(codes(validateDefinition(definition, aKnown()).filter(isError))).toEqual(expected);
  });

  test.for([
    [request({ headers: { 'X Y': 'a' } }), 'blocks.0.headers.X Y', 'is not a valid header name'],
    [{ id: 'e', type: 'end', next: { default: null } }, 'blocks.0.next.default', 'is not a known field'],
    [{ id: 'a b', type: 'end' }, 'blocks.0.id', 'must be 1 to 64 letters, digits, - and _'],
    [{ id: 'a'.repeat(65), type: 'end' }, 'blocks.0.id', 'must be 1 to 64 letters, digits, - and _'],
    [
      { id: 'd', type: 'delay', for: '1h' },
      'blocks.0.for',
      'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, from PT1S to P365D, such as PT1H',
    ],
  ] as const)('%j: %s %s', ([block, path, message]) => {
    const issues = validateDefinition(aDefinition([block], { start: 'x' }), aKnown());
    expect(issues).toContainEqual(expect.objectContaining({ code: 'invalid_shape', path, message }));
  });

  test.for<[string, unknown, string, string]>([
    ['of the definition', aDefinition([say('a')], { trigers: [] }), 'trigers', 'triggers'],
    ['of a block', aDefinition([{ id: 'e', type: 'end', nxt: {} }]), 'blocks.0.nxt', 'next'],
    [
      'of a message',
      aDefinition([say('a', { messages: [{ text: 'a', image: 'b', txt: 'c' }] })]),
      'blocks.0.messages.0.txt',
      'text',
    ],
    ['of a port', aDefinition([say('a', { next: { defalt: null } })]), 'blocks.0.next.defalt', 'default'],
  ])('a misspelt name %s is told with the nearest one', ([, definition, path, name]) => {
    const issues = validateDefinition(definition, aKnown());
    expect(issues).toContainEqual(expect.objectContaining({ path, hint: `Did you mean "${name}"?` }));
  });

  test('a name that is misspelt in two places is told with what each of them has', () => {
    const blocks = [
      { id: 'a', type: 'delay', for: 'PT1H', fild: 'x' },
      { id: 'b', type: 'clear_field', field: 'size', fild: 'x' },
    ];
    const issues = validateDefinition(aDefinition(blocks), aKnown());
    expect(issues.map(({ path, hint }) => [path, hint])).toEqual([
      ['blocks.0.fild', null],
      ['blocks.1.fild', 'Did you mean "field"?'],
    ]);
  });

  test('an issue has its fields in the order in which it is read', () => {
    const [issue] = validateDefinition(aDefinition([say('a', { next: { default: 'x' } })]), aKnown());
    expect(Object.keys(issue ?? {})).toEqual(['severity', 'code', 'block_id', 'path', 'message', 'hint']);
  });

  test('paths of mappings are read as long as they are few', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        request({
          id: `b${n}`,
          mapping: Array.from({ length: 20 }, () => ({ path: '$.items[0].price', field: 'size' })),
        }),
      );
    expect(codesOf(...calls(125))).toEqual([]);
    expect(codesOf(...calls(126))).toEqual(['too_many_paths']);
  });

  test('something that is nested without end is refused, and overflows no stack', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(codes(validateDefinition({ ...shirts, ui: deep }, aKnown()))).toEqual(['too_large']);
    const handed: unknown = JSON.parse('['.repeat(1_000) + ']'.repeat(1_000));
    expect(codes(validateDefinition({ ...shirts, ui: handed }, aKnown()))).toEqual(['invalid_shape']);
  });

  test('every problem is told at once: of shape, of the graph, of names, of templates', () => {
    const found = codesOf(
      say('Hi {{nobody|default:""}} {{', { next: { default: 'nowhere', failed: null } }),
      { id: 'wrong', type: 'delay', for: 'soon', next: { default: 'elsewhere' } },
      { id: 'wrong', type: 'clear_field', field: 'nothing' },
      { id: 'if', type: 'condition', rules: [{ field: 'size', op: 'gt', value: 1 }] },
    );
    expect(found.sort()).toEqual([
      'duplicate_id',
      'invalid_shape',
      'invalid_template',
      'missing_port',
      'missing_target',
      'missing_target',
      'unknown_field',
      'unknown_placeholder',
      'wrong_operator',
    ]);
  });
});

describe('circles', () => {
  const goto = (id: string, block: string) => ({ id, type: 'goto', block });

  test('one without a wait is refused, and names its blocks', () => {
    const issues = validateDefinition(
      aDefinition([say('a', { id: 'a' }), say('b', { id: 'b' }), goto('c', 'a')]),
      aKnown(),
    );
    expect(issues.filter(isError)).toEqual([
      expect.objectContaining({
        code: 'endless_cycle',
        block_id: 'a',
        path: 'blocks.0',
        message: 'is in a loop without a wait: a → b → c → a',
      }),
    ]);
    expect(codesOf(goto('a', 'a'))).toEqual(['endless_cycle']);
  });

  test.for([
    { id: 'w', type: 'ask', prompt: '?', next: { invalid: null, timeout: null } },
    { id: 'w', type: 'delay', for: 'PT1H' },
    { id: 'w', type: 'wait_event', event: 'tag_applied', next: { timeout: null } },
  ])('one with $type in it is fine', (wait) => {
    expect(codesOf(say('a', { id: 'a' }), wait, goto('c', 'a'))).toEqual([]);
  });

  test('two circles are told one by one, and a long one does not overflow the stack', () => {
    const long = Array.from({ length: 499 }, (_, n) => say('a', { id: `b${n}` }));
    const issues = validateDefinition(aDefinition([...long, goto('last', 'b0')]), aKnown());
    expect(codes(issues.filter(isError))).toEqual(['endless_cycle']);
    expect(
      codesOf(goto('a', 'b'), goto('b', 'a'), goto('c', 'd'), goto('d', 'c')).filter(
        (code) => code === 'endless_cycle',
      ),
    ).toHaveLength(2);
  });

  test('a flow that starts itself, directly or by others, is refused', () => {
    const start = (id: string) => aDefinition([{ id: 'f', type: 'start_flow', flow_id: id }]);
    const flows = new Map([
      [flowA, { name: 'A', isLive: true, starts: [flowB] }],
      [flowB, { name: 'B', isLive: true, starts: [flowA] }],
    ]);
    expect(codes(validateDefinition(start(flowA), aKnown({ flowId: flowA, flows })))).toEqual(['recursion']);
    expect(codes(validateDefinition(start(flowB), aKnown({ flowId: flowA, flows })))).toEqual(['recursion']);
    expect(codes(validateDefinition(start(flowB), aKnown({ flows })))).toEqual([]);
    // By two others.
    flows.set(flowB, { name: 'B', isLive: true, starts: [flowC] });
    flows.set(flowC, { name: 'C', isLive: true, starts: [flowA] });
    expect(codes(validateDefinition(start(flowB), aKnown({ flowId: flowA, flows })))).toEqual(['recursion']);
  });
});

describe('a flow that the tag "spark" starts', () => {
  const tag = { id: 'b', type: 'add_tag', tag: ' SPARK' };
  const start = { id: 'b', type: 'start_flow', flow_id: flowB };
  const flows = new Map([
    [flowB, { name: 'B', isLive: true, starts: [flowC] }],
    [flowC, { name: 'C', isLive: true, starts: [] }],
  ]);
  const tagging = (id: string, applies: string[], startedBy: string[] = []) =>
    new Map([[id, { applies: new Set(applies), startedBy: new Set(startedBy) }]]);

  test.for<[string, object, Known['tagging'], string | null]>([
    ['applies that tag', tag, new Map(), 'is the tag that starts this flow, so each run may start another'],
    ['only removes that tag', { ...tag, type: 'remove_tag' }, new Map(), null],
    ['applies another tag', { ...tag, tag: 'vip' }, tagging(flowB, ['spark'], ['other']), null],
    [
      'applies a tag whose flow applies that tag',
      { ...tag, tag: 'vip' },
      tagging(flowB, ['spark'], ['vip']),
      'starts a flow that applies the tag "spark", which starts this flow again',
    ],
    [
      'starts a flow that applies that tag',
      start,
      tagging(flowB, ['x', 'spark']),
      'applies the tag "spark", which starts this flow again',
    ],
    [
      'starts it through another',
      start,
      tagging(flowC, ['spark']),
      'applies the tag "spark", which starts this flow again',
    ],
    ['starts a flow that applies another tag', start, tagging(flowB, ['vip'], ['spark']), null],
  ])('is told where it may start itself: it %s', ([, block, known, message]) => {
    const definition = aDefinition([block as never], { triggers: [{ type: 'tag_applied', tag: 'Spark' }] });
    const issues = validateDefinition(definition, aKnown({ flows, tagging: known, tags: new Set(['vip', 'spark']) }));
    const expected = { severity: 'warning', code: 'fires_itself', block_id: 'b', message };
    expect(issues).toMatchObject(message === null ? [] : [expected]);
  });
});

describe('warnings', () => {
  test.for<[string, object[], Partial<Issue>]>([
    [
      'a tag that is not there yet',
      [{ id: 't', type: 'add_tag', tag: 'vipp' }],
      {
        code: 'unknown_tag',
        path: 'blocks.0.tag',
        message: 'is no tag yet: it is made when it is first used',
        hint: 'Did you mean "vip"?',
      },
    ],
    [
      'a tag that no contact can have yet, taken away',
      [{ id: 't', type: 'remove_tag', tag: 'vipp' }],
      {
        code: 'unknown_tag',
        path: 'blocks.0.tag',
        message: 'is no tag yet: no contact has it',
        hint: 'Did you mean "vip"?',
      },
    ],
    [
      'a tag that no contact can have yet, asked for',
      [
        {
          id: 'c',
          type: 'condition',
          rules: [{ field: 'tags', op: 'has_tag', value: 'vipp' }],
          next: { true: null, false: null },
        },
      ],
      { code: 'unknown_tag', path: 'blocks.0.rules.0.value', message: 'is no tag yet: no contact has it' },
    ],
    [
      'a block that is reached from nowhere',
      [
        { id: 'e', type: 'end' },
        { id: 'x', type: 'end' },
      ],
      { code: 'unreachable_block', block_id: 'x', path: 'blocks.1' },
    ],
    [
      'an open error port',
      [request({ next: { timeout: null } })],
      { code: 'open_error_port', path: 'blocks.0.next.error' },
    ],
    [
      'an open timeout',
      [request({ next: { error: null } })],
      { code: 'open_error_port', path: 'blocks.0.next.timeout' },
    ],
    ...[{ Authorization: 'Bearer abc' }, { 'x-api-key': 'abc' }, { Cookie: 'a=b' }, { 'X-Token': 'abc{{run.id}}' }].map(
      (headers): [string, object[], Partial<Issue>] => [
        `a secret in ${Object.keys(headers).join()}`,
        [request({ headers })],
        {
          code: 'secret_in_header',
          path: `blocks.0.headers.${Object.keys(headers).join()}`,
          hint: expect.stringMatching(/^Make a credential/),
        },
      ],
    ),
    [
      'a placeholder that may be empty',
      [say('Hi {{first_name}}')],
      {
        code: 'may_be_empty',
        path: 'blocks.0.messages.0.text',
        hint: 'Say what stands there then: {{first_name|default:"…"}}.',
      },
    ],
    ['a custom field that may be empty', [say('Hi {{size|upper}}')], { code: 'may_be_empty' }],
    [
      'one that may be empty within quotes of a body',
      [request({ body: '{"a": "{{size}}", "b": {{size}}}' })],
      { code: 'may_be_empty', path: 'blocks.0.body', message: expect.stringContaining('character 8,') },
    ],
    [
      'one that may be empty in a longer text of set_field',
      [{ id: 's', type: 'set_field', field: 'size', value: '{{params.x}} cm' }],
      { code: 'may_be_empty', path: 'blocks.0.value' },
    ],
    ...['{first_name}', 'Hi {size}, {{plan|default:""}}', '${last_name}'].map(
      (text): [string, object[], Partial<Issue>] => [
        `the name in single braces of ${text}`,
        [say(text.replace('{{plan|default:""}}', '{{size|default:""}}'))],
        { code: 'single_braces', path: 'blocks.0.messages.0.text', hint: expect.stringContaining('{{') },
      ],
    ),
    [
      'choices of which not all are quick replies',
      [
        {
          id: 'q',
          type: 'ask',
          prompt: 'Which?',
          expects: 'choice',
          choices: Array.from({ length: 11 }, (_, n) => `no. ${n}`),
          next: { invalid: null, timeout: null, failed: null },
        },
      ],
      { code: 'hidden_choices', path: 'blocks.0.choices', message: expect.stringContaining('are 11') },
    ],
    [
      'a success among the statuses that are retried',
      [request({ method: 'GET', retry: { statuses: [200, 503] } })],
      { code: 'never_retried', path: 'blocks.0.retry.statuses', message: expect.stringContaining('has 200, which') },
    ],
    [
      'statuses after which a POST is not retried',
      [request({ retry: { statuses: [500, 502, 503] } })],
      {
        code: 'never_retried',
        path: 'blocks.0.retry.statuses',
        message: expect.stringContaining('has 500, 502, after'),
      },
    ],
    ['what an enrolment may not bring', [say('Hi {{params.x}}')], { code: 'may_be_empty' }],
  ])('%s', ([, blocks, expected]) => {
    expect(validateDefinition(aDefinition(blocks as never), aKnown())).toEqual([
      expect.objectContaining({ severity: 'warning', ...expected }),
    ]);
  });

  test.for<[string, object]>([
    ['outside quotes of a body, where it is null', request({ body: '{"a": {{size}}, "b": [{{params.x}}]}' })],
    ['alone in set_field, which it clears', { id: 's', type: 'set_field', field: 'size', value: '{{params.x}}' }],
    ['in single braces, but of no name', say('{nobody} and {"size": 1}')],
  ])('but none of what may be empty %s', ([, block]) => {
    expect(codesOf(block)).toEqual([]);
  });

  test('but none of an item and its index, and of a list that may be empty', () => {
    const each = {
      for_each: { items: '{{params.orders}}' },
      url: 'https://shop.example/{{item.id|default:"x"}}/{{index}}',
    };
    expect(codesOf(request({ ...each, body: '{"all": {{item}}, "first": {{item.parts[0]}}}' }))).toEqual([]);
    expect(codesOf(request({ ...each, query: { of: '{{item.id}}' } }))).toEqual(['may_be_empty']);
  });

  test('but none of the port timeout, which a request for each item never takes', () => {
    const each = { for_each: { items: '{{likes}}' }, next: { error: null } };
    expect(codesOf(request(each))).toEqual([]);
    expect(codesOf(request({ ...each, next: { error: null, timeout: null } }))).toEqual([]);
    expect(codesOf(request({ next: { error: null } }))).toEqual(['open_error_port']);
  });

  test('but none of a tag that is there, in whatever letter case it is named', () => {
    expect(codesOf({ id: 't', type: 'add_tag', tag: 'VIP' })).toEqual([]);
  });

  test.for([
    '{{contact.id}}',
    '{{account.name}}',
    '{{now|date:"HH:mm"}}',
    '{{contact|json}}',
    '{{contact.custom_fields|json}}',
    '{{size|default:"M"}}',
    '{{plan}}',
  ])('%s is never empty', (text) => {
    const fields = fieldMap(aField('size', 'text'), aField('plan', 'text', { default: 'free' }));
    expect(validateDefinition(aDefinition([say(text)]), aKnown({ fields }))).toEqual([]);
  });

  test('a credential in a header is no typed secret', () => {
    const headers = { Authorization: 'Bearer {{credential.shop}}', 'X-Trace': 'abc' };
    expect(codesOf(request({ headers }))).toEqual([]);
  });

  test.for([
    '{{size}}',
    '[{{size}}, {{size|json}}, -{{stock_left}}, {{stock_left}}.5, 1{{stock_left}}e2, "a {{size|default:""}}"]',
    '{ {{size}}: {{likes}}, "{{size|default:""}}": {} }',
    '{"a": {{"x"}} }',
    '[{{stock_left}}{{stock_left}}]',
  ])('a body that is JSON for some values is none that can never be: %s', (body) => {
    expect(codesOf(request({ body }))).toEqual([]);
  });

  test.for([
    [{ type: 'keyword', words: ['hi', '{{size}}'] }, 'triggers.0.words.1'],
    [{ type: 'tag_applied', tag: '{{size}}' }, 'triggers.0.tag'],
  ] as const)('a placeholder in a trigger is an error: %j', ([trigger, path]) => {
    expect(validateDefinition(aDefinition([say('a')], { triggers: [trigger] }), aKnown())).toContainEqual(
      expect.objectContaining({ code: 'unfilled_placeholder', severity: 'error', path }),
    );
  });

  test.for(['params.items[0]', 'params.items.0', 'contact.custom_fields.likes[0]', 'likes[1]'])(
    'the rule of %s is about one item of a list',
    (field) => {
      const block = { id: 'if', type: 'condition', rules: [{ field, op: 'is', value: 'b' }], next: { false: null } };
      expect(codesOf(block)).toEqual([]);
    },
  );

  test('the tag of a trigger may be unknown', () => {
    const definition = aDefinition([say('a')], { triggers: [{ type: 'tag_applied', tag: 'new' }] });
    expect(validateDefinition(definition, aKnown())).toMatchObject([
      { code: 'unknown_tag', path: 'triggers.0.tag', block_id: null, message: 'is no tag yet: no contact has it' },
    ]);
  });
});

test('of a great many issues the first ones are told, and how many there are', () => {
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, '{{nobody}}']));
  const blocks = Array.from({ length: 500 }, (_, n) => request({ id: `b${n}`, headers }));
  const issues = validateDefinition(aDefinition(blocks), aKnown());
  expect(issues).toHaveLength(maxIssues + 1);
  expect(issues.at(-1)).toMatchObject({ code: 'too_many_issues', message: 'has 10000 issues, of which 1000 are told' });
});

test('500 blocks with a thousand misspelt names are checked within 100 ms', () => {
  const fields = fieldMap(...Array.from({ length: 100 }, (_, n) => aField(`a_field_of_the_account_${n}`, 'text')));
  const blocks = Array.from({ length: 500 }, (_, n) =>
    say(`{{a_fild_of_the_acount_${n}}} {{a_field_off_the_account_${n}}}`, { id: `block_${n}` }),
  );
  const validate = () => validateDefinition(aDefinition(blocks), aKnown({ fields }));
  const times = Array.from({ length: 5 }, () => cpuMsOf(validate));
  // Twice what is promised: other tests run at the same time.
  expect(Math.min(...times)).toBeLessThan(200);
});

test('whatever JSON is sent, it is answered by issues, and what has no errors can be published', () => {
  const types = [
    'send',
    'ask',
    'condition',
    'delay',
    'split',
    'external_request',
    'goto',
    'end',
    'constructor',
    '__proto__',
  ];
  const block = fc.record(
    {
      id: fc.constantFrom('a', 'b', 'c'),
      type: fc.constantFrom(...types),
      next: fc.jsonValue(),
      block: fc.constantFrom('a', 'd'),
    },
    { requiredKeys: ['id', 'type'] },
  );
  const definition = fc.oneof(
    fc.jsonValue(),
    fc.record({
      schema_version: fc.constant(1),
      start: fc.constantFrom('a', 'x'),
      blocks: fc.array(fc.oneof(block, fc.jsonValue()), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(definition, (raw) => {
      const isPublishable = !validateDefinition(raw, aKnown()).some(isError);
      expect(!isPublishable || parseDefinition(raw).blocks.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('a message that a type of channel of the account does not take', () => {
  const short = { type: 'carrier', text: 160, quickReply: 20, quickReplies: 3, attachments: 0 };
  const long = { type: 'api', text: 10_000, quickReply: 80, quickReplies: 10, attachments: 10 };
  const over = (block: object) =>
    validateDefinition(aDefinition([block] as never), aKnown({ channels: [long, short] }))
      .filter(({ code }) => code === 'over_channel_limit')
      .map(({ severity, path, message }) => `${severity} ${path} ${message}`);
  const fails = (path: string, what: string) =>
    `warning blocks.0.${path} has more than ${what}, so the message fails on channels of type carrier`;

  test('is warned of with its place and that type, and no text with placeholders is', () => {
    const quick_replies = ['a', 'b', 'c', 'd'.repeat(21)];
    expect(over({ id: 'say', type: 'send', messages: [{ text: 'x'.repeat(161), quick_replies }] })).toEqual([
      fails('messages.0.text', '160 characters'),
      fails('messages.0.quick_replies', '3 quick replies'),
      fails('messages.0.quick_replies.3', '20 characters'),
    ]);
    expect(over(say(`{{first_name}}${'x'.repeat(161)}`))).toEqual([]);
    expect(over({ id: 'say', type: 'send', messages: [{ text: 'x', quick_replies: ['y'.repeat(300)] }] })).toEqual([
      fails('messages.0.quick_replies.0', '20 characters'),
    ]);
  });

  test('is warned of in questions, too, with their choices', () => {
    const choices = ['a', 'b', 'c', { label: 'd'.repeat(21), value: 'd' }];
    const texts = { prompt: 'x'.repeat(161), retry_text: 'y'.repeat(161) };
    const next = { invalid: null, timeout: null, failed: null };
    expect(over({ id: 'q', type: 'ask', expects: 'choice', choices, ...texts, next })).toEqual([
      fails('prompt', '160 characters'),
      fails('choices', '3 quick replies'),
      fails('choices.3', '20 characters'),
      fails('retry_text', '160 characters'),
    ]);
  });
});
