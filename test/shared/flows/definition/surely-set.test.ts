import { describe, expect, test } from 'vitest';
import { createIssues } from '../../../../src/shared/flows/definition/issues.ts';
import { createNearest } from '../../../../src/shared/flows/definition/nearest.ts';
import { readDraft } from '../../../../src/shared/flows/definition/shape.ts';
import { createSetBefore } from '../../../../src/shared/flows/definition/surely-set.ts';
import { validateDefinition } from '../../../../src/shared/flows/definition/validate.ts';
import { aDefinition, aKnown } from '../../../helpers/definitions.ts';
import { aField, fieldMap } from '../../../helpers/block-context.ts';

type Raw = Readonly<Record<string, unknown>>;

const ports: Readonly<Record<string, readonly string[]>> = {
  ask: ['invalid', 'timeout', 'failed'],
  external_request: ['error', 'timeout'],
  condition: ['false'],
  wait_event: ['timeout'],
  send: ['failed'],
};

/** A block whose other ports end the run. */
const block = (id: string, type: string, { next, ...rest }: Raw & { next?: Raw } = {}): Raw => ({
  id,
  type,
  ...rest,
  next: { ...Object.fromEntries((ports[type] ?? []).map((port) => [port, null])), ...next },
});
const ask = (id: string, field: string, next: Raw = {}) => block(id, 'ask', { prompt: '?', save_to: field, next });
const set = (field: string, value: unknown, rest: Raw = {}) =>
  block(`set_${field}`, 'set_field', { field, value, ...rest });
const call = (mapping: Raw, next: Raw = {}, table = 'mapping') =>
  block('call', 'external_request', { method: 'GET', url: 'https://a.example/', [table]: [mapping], next });
const goto = (id: string, to: string) => ({ id, type: 'goto', block: to });
const say = (id: string, text: string) => block(id, 'send', { messages: [{ text }] });

const fields = fieldMap(
  aField('size', 'text'),
  aField('left', 'number'),
  aField('likes', 'list'),
  aField('data', 'json'),
);

/** The blocks whose placeholders may be empty. */
const emptyIn = (...blocks: readonly Raw[]): (string | null)[] => {
  const issues = validateDefinition(aDefinition(blocks), aKnown({ fields }));
  expect(issues.filter(({ code }) => code !== 'may_be_empty' && code !== 'unreachable_block')).toEqual([]);
  return issues.flatMap(({ code, block_id: id }) => (code === 'may_be_empty' ? [id] : []));
};

describe('a placeholder is never empty after', () => {
  test.for<[string, Raw[], string]>([
    ['an answer that was saved to it', [ask('a', 'size')], '{{size}} {{contact.custom_fields.size}} {{reply.text}}'],
    ['an answer saved to the profile', [ask('a', 'first_name')], '{{first_name}} {{contact.first_name}}'],
    ['a fixed text', [set('size', 'M')], '{{size}}'],
    ['a number', [set('left', 0)], '{{left}}'],
    ['a text with something around its placeholders', [set('size', 'no. {{params.x|default:""}}')], '{{size}}'],
    ['a default', [set('size', '{{params.x|default:"M"}}')], '{{size}}'],
    ['a name that the system always knows', [set('size', '{{contact.id}}')], '{{size}}'],
    ['another field that is set', [ask('a', 'size'), set('first_name', '{{size|upper}}')], '{{first_name}}'],
    ['an increment', [set('left', -1, { op: 'increment' })], '{{left}}'],
    ['an item appended', [set('likes', 'shirts', { op: 'append' })], '{{likes}}'],
    [
      'nothing appended to what is set',
      [set('likes', 'a'), set('likes', '{{tags|default:""}}', { id: 'more', op: 'append' })],
      '{{likes}}',
    ],
    [
      'a mapping without which there is no success',
      [call({ path: '$.a', field: 'left', on_missing: 'error' })],
      '{{left}}',
    ],
    ['a mapping that keeps what was set', [set('left', 1), call({ path: '$.a', field: 'left' })], '{{left}}'],
    ['an event that was waited for', [block('w', 'wait_event', { event: 'tag_applied' })], '{{event.tag.name}}'],
    [
      'what a change of an order tells',
      [block('w', 'wait_event', { event: 'order_status_changed' })],
      '{{event.order.number}} {{event.order.total}} {{event.order.to}}',
    ],
    ['a rule that it is set', [block('if', 'condition', { rules: [{ field: 'size', op: 'is_set' }] })], '{{size}}'],
    [
      'a rule about its value',
      [block('if', 'condition', { rules: [{ field: 'params.x', op: 'gt', value: 1 }] })],
      '{{params.x}}',
    ],
  ])('%s', ([, before, text]) => {
    expect(emptyIn(...before, say('say', text))).toEqual([]);
  });

  test('a rule that it is not set, on the other port', () => {
    const rules = [{ field: 'size', op: 'not_set' }];
    const blocks = [ask('a', 'size'), say('say', '{{size}}')];
    expect(emptyIn(block('if', 'condition', { rules, next: { false: 'say' } }), ...blocks)).toEqual([]);
  });
});

describe('a placeholder may be empty after', () => {
  test.for<[string, Raw[], string]>([
    ['an answer that is not saved', [block('a', 'ask', { prompt: '?' })], '{{size}}'],
    ['an answer that was not valid', [ask('a', 'size', { invalid: 'say', answered: null })], '{{size}}'],
    ['a text that may be empty itself', [set('size', ' {{params.x|default:""}}')], '{{size}}'],
    ['a quoted text that is blank', [set('size', '{{" "}}')], '{{size}}'],
    ['being set from itself', [set('size', '{{size|default:""|upper}}')], '{{size}}'],
    ['a date of what may be none', [ask('a', 'size'), set('first_name', '{{size|date:"YYYY"}}')], '{{first_name}}'],
    ['being cleared', [ask('a', 'size'), block('c', 'clear_field', { field: 'size' })], '{{size}}'],
    ['being written with what may be empty', [ask('a', 'size'), set('size', '{{params.x|default:""}}')], '{{size}}'],
    ['items being removed', [set('likes', 'a'), set('likes', 'a', { id: 'less', op: 'remove' })], '{{likes}}'],
    ['a mapping that keeps or clears', [call({ path: '$.a', field: 'left' })], '{{left}}'],
    ['a mapping that clears', [set('left', 1), call({ path: '$.a', field: 'left', on_missing: 'clear' })], '{{left}}'],
    [
      'the error of a call',
      [call({ path: '$.a', field: 'left', on_missing: 'error' }, { error: 'say', success: null })],
      '{{left}}',
    ],
    [
      'an error without a response to map',
      [call({ path: '$.a', field: 'left', on_missing: 'error' }, { error: 'say', success: null }, 'error_mapping')],
      '{{left}}',
    ],
    [
      'a rule that need not hold',
      [
        block('if', 'condition', {
          match: 'any',
          rules: [
            { field: 'size', op: 'is_set' },
            { field: 'left', op: 'is_set' },
          ],
        }),
      ],
      '{{size}}',
    ],
    [
      'a rule that holds of nothing',
      [block('if', 'condition', { rules: [{ field: 'size', op: 'is_not', value: 'a' }] })],
      '{{size}}',
    ],
    [
      'a rule about a part of it',
      [block('if', 'condition', { rules: [{ field: 'data.a', op: 'is_set' }] })],
      '{{data.a}}',
    ],
    ['another event', [block('w', 'wait_event', { event: 'tag_applied' })], '{{event.order.id}}'],
    ['what only a change tells', [block('w', 'wait_event', { event: 'order_placed' })], '{{event.order.from}}'],
  ])('%s', ([, before, text]) => {
    expect(emptyIn(...before, say('say', text))).toEqual(['say']);
  });

  test('the block itself: what it writes is there only behind it', () => {
    expect(emptyIn(block('a', 'ask', { prompt: 'Not {{size}}?', save_to: 'size' }))).toEqual(['a']);
  });
});

describe('where ways join', () => {
  const split = (next: Raw) => block('ab', 'split', { weights: { a: 1, b: 1 }, next });

  test('it is set when it is set on all of them', () => {
    const joined = [
      split({ a: 'a', b: 'b' }),
      ask('a', 'size', { answered: 'say' }),
      ask('b', 'size'),
      say('say', '{{size}}'),
    ];
    expect(emptyIn(...joined)).toEqual([]);
  });

  test('one way without it is enough', () => {
    expect(emptyIn(split({ a: 'a', b: 'say' }), ask('a', 'size'), say('say', '{{size}}'))).toEqual(['say']);
    const cleared = block('b', 'clear_field', { field: 'size' });
    const joined = [ask('first', 'size'), split({ a: 'say', b: 'b' }), cleared, say('say', '{{size}}')];
    expect(emptyIn(...joined)).toEqual(['say']);
  });

  test('a way that no run takes does not count', () => {
    expect(emptyIn(ask('a', 'size'), goto('on', 'say'), say('lost', 'a'), say('say', '{{size}}'))).toEqual([]);
  });
});

describe('in circles', () => {
  test('what is set before one holds in it, and what is set in it does not hold where it is entered', () => {
    expect(
      emptyIn(ask('a', 'size'), say('say', '{{size}}'), block('w', 'delay', { for: 'PT1H' }), goto('again', 'say')),
    ).toEqual([]);
    expect(emptyIn(say('say', '{{size}}'), ask('a', 'size'), say('then', '{{size}}'), goto('again', 'say'))).toEqual([
      'say',
    ]);
  });

  test('what a later round clears is not sure in any', () => {
    const clear = block('clear', 'clear_field', { field: 'size' });
    expect(
      emptyIn(
        ask('a', 'size'),
        say('say', '{{size}}'),
        block('w', 'delay', { for: 'PT1H' }),
        clear,
        goto('again', 'say'),
      ),
    ).toEqual(['say']);
  });

  test('two fields that are set from one another are looked through once', () => {
    const swap = [
      set('size', '{{first_name|default:""}}', { id: 'x' }),
      set('first_name', '{{size|default:""}}', { id: 'y' }),
    ];
    expect(
      emptyIn(...swap, block('w', 'delay', { for: 'PT1H' }), say('say', '{{size}}{{first_name}}'), goto('again', 'x')),
    ).toEqual(['say', 'say']);
  });
});

test('a draft whose start or blocks are wrong is looked through all the same', () => {
  const blocks = [
    ask('a', 'size'),
    { id: 'wrong', type: 'delay', for: 'soon', next: { default: 'say' } },
    say('say', '{{size}}'),
  ];
  const codes = (definition: Raw) => validateDefinition(definition, aKnown({ fields })).map(({ code }) => code);
  expect(codes(aDefinition(blocks))).toEqual(['invalid_shape']);
  expect(codes(aDefinition(blocks, { start: 'nowhere' }))).toContain('may_be_empty');
  // Of two blocks of one id the first counts.
  const twice = [say('x', 'a'), say('say', '{{size}}'), ask('x', 'size', { answered: 'say' })];
  expect(codes(aDefinition(twice))).toContain('may_be_empty');
});

test('more names than an account has fields are not looked up: they may be empty', () => {
  const keys = Array.from({ length: 1_001 }, (_, n) => `f${n}`);
  const calls = Array.from({ length: 51 }, (_, n) =>
    block(`call_${n}`, 'external_request', {
      method: 'GET',
      url: 'https://a.example/',
      mapping: keys.slice(n * 20, n * 20 + 20).map((field) => ({ path: '$.a', field, on_missing: 'error' })),
    }),
  );
  const texts = [0, 400, 800].map((from) => ({
    text: keys
      .slice(from, from + 400)
      .map((key) => `{{${key}}}`)
      .join(''),
  }));
  const issues = validateDefinition(
    aDefinition([...calls, block('say', 'send', { messages: texts })]),
    aKnown({ fields: fieldMap(...keys.map((key) => aField(key, 'text'))) }),
  );
  expect(issues.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringMatching(/^may_be_empty: has {{f1000}}/),
  ]);
});

test('500 blocks that set and show 500 fields are looked through within 100 ms', () => {
  const keys = Array.from({ length: 500 }, (_, n) => `field_${n}`);
  const blocks = keys.map((key, n) =>
    n % 2 === 0
      ? set(key, `{{${keys[(n + 250) % 500]}}}`, { id: `b${n}`, next: { default: `b${(n * 7 + 1) % 500}` } })
      : ask(`b${n}`, key, { answered: `b${(n * 3) % 500}`, invalid: `b${(n + 1) % 500}` }),
  );
  const definition = aDefinition(blocks);
  const known = aKnown({ fields: fieldMap(...keys.map((key) => aField(key, 'text'))) });
  const times = Array.from({ length: 5 }, () => {
    const { user } = process.threadCpuUsage();
    validateDefinition(definition, known);
    return (process.threadCpuUsage().user - user) / 1_000;
  });
  expect(Math.min(...times)).toBeLessThan(100);
});

test('names tell whether blocks before set them surely, on some ways, or never', () => {
  const blocks = [
    block('which', 'condition', { rules: [{ field: 'first_name', op: 'is', value: 'Ada' }], next: { false: 'say' } }),
    ask('a', 'size'),
    say('say', 'Hello'),
    ask('b', 'left'),
    goto('end', 'say'),
    ask('lost', 'data'),
    say('unreached', 'Hello'),
  ];
  const draft = readDraft(createIssues(), createNearest(0), aDefinition(blocks));
  if (!draft) throw new TypeError('a draft is read');
  const setBefore = createSetBefore(draft, fields);
  expect(['which', 'a', 'say', 'b', 'end'].map((_, index) => setBefore('size', index))).toEqual([
    'never',
    'never',
    'maybe',
    'maybe',
    'maybe',
  ]);
  expect([2, 3, 4].map((index) => setBefore('left', index))).toEqual(['maybe', 'maybe', 'surely']);
  expect(setBefore('contact.custom_fields.left', 4)).toBe('surely');
  expect([setBefore('first_name', 1), setBefore('data', 6), setBefore('nothing', 4)]).toEqual([
    'surely',
    'never',
    'never',
  ]);
});
