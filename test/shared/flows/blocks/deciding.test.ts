import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/shared/custom-fields/values.ts';
import { scopeOf } from '../../../../src/shared/flows/blocks/scope.ts';
import { parseJson } from '../../../../src/shared/platform/json/parse-json.ts';
import { enter } from '../../../helpers/blocks.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { aField, aBlockContext } from '../../../helpers/block-context.ts';

/** What an enrolment may bring: nested as deeply as a body allows. */
const deep: Json = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));

/** Ids that are one double. */
const [id, other] = [parseJson('1234567890123456789'), parseJson('1234567890123456788')];

const context = aBlockContext({
  now: '2026-03-04T22:30:00Z',
  accountZone: 'Europe/Berlin',
  fields: [
    aField('age', 'number'),
    aField('city', 'text'),
    aField('vip', 'boolean'),
    aField('born', 'date'),
    aField('seen', 'datetime'),
    aField('likes', 'list'),
    aField('data', 'json'),
    aField('plan', 'text', { default: 'free' }),
  ],
  contact: {
    tags: ['VIP', 'new'],
    fields: {
      age: 30,
      city: 'Großenhain',
      vip: true,
      born: '1990-06-01',
      seen: '2026-03-04T20:00:00.000Z',
      likes: ['Blue', 'red'],
      data: { shop: { id: 7 } },
    },
  },
  run: {
    params: { amount: '12', source: 'web', deep, id, other, ids: [id, other] },
    reply: { text: 'Yes please' },
    event: { tag: { name: 'vip' } },
  },
});

const port = (rules: object[], match = 'all', at = context): unknown => {
  const move = enter({ type: 'condition', rules, match }, at);
  return move.type === 'go' ? move.port : move;
};

describe('condition', () => {
  test.for([
    ['age', 'is', 30, true],
    ['age', 'is', '30.0', true],
    ['age', 'is_not', 31, true],
    ['age', 'gt', 29.5, true],
    ['age', 'gt', 30, false],
    ['age', 'gte', '30', true],
    ['age', 'lt', '{{params.amount}}', false],
    ['age', 'lte', 'abc', false],
    ['params.amount', 'gt', 9, true],
    ['city', 'is', 'GROSSENHAIN', true],
    ['city', 'is', ' großenhain ', true],
    ['city', 'contains', 'ssen', true],
    ['city', 'starts_with', 'gross', true],
    ['city', 'starts_with', '', false],
    ['city', 'contains', '', false],
    ['vip', 'is', true, true],
    ['vip', 'is', 'true', true],
    ['vip', 'is', false, false],
    ['born', 'lt', '1990-06-02', true],
    ['born', 'is', '1990-06-01', true],
    ['seen', 'lt', '{{now}}', true],
    ['seen', 'gt', '2026-03-04', true],
    ['seen', 'is', '2026-03-04T21:00:00+01:00', true],
    ['now', 'gt', '{{seen}}', true],
    ['now.date', 'is', '2026-03-04', true],
    ['now.time', 'gte', '23:30', true],
    ['now.time', 'lt', '23:30', false],
    ['now.weekday', 'is', 'Wednesday', true],
    ['likes', 'contains', 'BLUE', true],
    ['likes', 'contains', 'blu', false],
    ['tags', 'has_tag', 'vip', true],
    ['tags', 'has_tag', 'vi', false],
    ['channel', 'is', 'api', true],
    ['language', 'is', 'en', true],
    ['reply.text', 'starts_with', 'yes', true],
    ['event.tag.name', 'is', 'vip', true],
    ['data.shop.id', 'is', 7, true],
    ['plan', 'is', 'free', true],
    ['last_name', 'is_set', undefined, false],
    ['last_name', 'not_set', undefined, true],
    ['last_name', 'is', '', false],
    ['last_name', 'is_not', 'x', true],
    ['unknown.__proto__', 'is_set', undefined, false],
    ['city', 'matches', '^Gro.*hain$', true],
    ['city', 'matches', 'gro', false],
    ['city', 'matches', '(?i)gro', true],
    ['city', 'matches', '(', false],
    ['age', 'matches', '^\\d+$', true],
    ['data', 'is', '{{data}}', false],
    ['data', 'contains', 'shop', false],
    ['data', 'matches', 'shop', false],
    ['likes', 'is', '{{likes}}', false],
    ['params.deep', 'is', '{{params.deep}}', false],
    ['params.deep', 'contains', '{{params.deep}}', false],
    ['params.deep', 'matches', '.', false],
    ['params.deep', 'gt', 1, false],
    ['params.deep', 'is_set', undefined, true],
    ['params.id', 'is', '1234567890123456789', true],
    ['params.id', 'is', '1234567890123456788', false],
    ['params.id', 'is', '{{params.id}}', true],
    ['params.id', 'is', '{{params.other}}', false],
    ['params.id', 'gt', '{{params.other}}', true],
    ['params.other', 'gte', '{{params.id}}', false],
    ['params.id', 'gt', 7, true],
    ['params.id', 'contains', '456789', true],
    ['params.id', 'matches', '^\\d{19}$', true],
    ['params.ids', 'contains', '1234567890123456788', true],
    ['params.ids', 'contains', '1234567890123456787', false],
  ] as const)('%s %s %j: %j', ([field, op, value, expected]) => {
    expect(port([{ field, op, ...(value !== undefined && { value }) }])).toBe(String(expected));
  });

  /** What `is` says of a text field, a part of what an enrolment brought, and a number field, which hold this: first meaning, second meaning. */
  test.for([
    ['text', '01234', '1234', true, false],
    ['text', '1.10', '1.1', true, false],
    ['text', '+491701234567', '491701234567', true, false],
    ['text', '1234', 1234, true, true],
    ['text', '01234', 1234, true, false],
    ['text', '2026-03-04', '2026-03-04T00:00', true, false],
    ['text', '9:00', '09:00', true, false],
    ['text', 'Yes', ' yes ', true, true],
    ['params', '01234', '1234', true, false],
    ['params', 1234, '01234', true, true],
    ['params', '2026-03-04', '2026-03-04T00:00', true, true],
    ['params', 'a', 'b', false, false],
    ['number', 1.1, '1.10', true, true],
    ['date', '2026-03-04', '2026-03-04T00:00', true, true],
  ] as const)('is compares in a %s the value %j and %j: %j once, %j now', ([type, left, right, once, now]) => {
    const isParam = type === 'params';
    const value = {
      contact: { fields: isParam ? {} : { held: left } },
      run: { params: isParam ? { held: left } : {} },
    };
    const fields = isParam ? [] : [aField('held', type)];
    const rule = { field: isParam ? 'params.held' : 'held', op: 'is', value: right };
    const said = [1, 2].map((v) => port([rule], 'all', aBlockContext({ v, fields, ...value })));
    expect(said).toEqual([String(once), String(now)]);
    const not = [1, 2].map((v) => port([{ ...rule, op: 'is_not' }], 'all', aBlockContext({ v, fields, ...value })));
    expect(not).toEqual([String(!once), String(!now)]);
  });

  test('all of its rules must hold, or any', () => {
    const yes = { field: 'age', op: 'is', value: 30 };
    const no = { field: 'age', op: 'is', value: 31 };
    expect(port([yes, no])).toBe('false');
    expect(port([yes, no], 'any')).toBe('true');
    expect(port([no, no], 'any')).toBe('false');
  });

  test.for(['(a+)+$', '(a|a)*$', '(a*)*b', '(.*a){20}', '(?:[ab]?){90}[c-d][e-f]'])(
    '%s takes no time to speak of, on the longest text',
    (pattern) => {
      const context = aBlockContext({ run: { params: { long: 'ab'.repeat(5_000) } } });
      const condition = { type: 'condition', rules: [{ field: 'params.long', op: 'matches', value: pattern }] };
      expect(cpuMsOf(() => enter(condition, context))).toBeLessThan(500);
    },
  );
});

describe('split', () => {
  const weights = { a: 50, b: 30, c: 20, d: 0 };
  const ways = Array.from({ length: 10_000 }, (_, n) => {
    const move = enter({ type: 'split', weights }, aBlockContext({ contact: { id: `con_${n}` } }));
    return move.type === 'go' ? move.port : '';
  });
  const share = (name: string): number => ways.filter((way) => way === name).length / ways.length;

  test('contacts are spread by the weights', () => {
    expect(share('a')).toBeCloseTo(0.5, 1);
    expect(share('b')).toBeCloseTo(0.3, 1);
    expect(share('c')).toBeCloseTo(0.2, 1);
    expect(share('d')).toBe(0);
  });

  test('a contact goes the same way at every visit, and another block asks anew', () => {
    const way = (id: string, contact: string) =>
      enter({ type: 'split', id, weights }, aBlockContext({ contact: { id: contact } }));
    const contacts = Array.from({ length: 200 }, (_, n) => `con_${n}`);
    expect(contacts.map((contact) => way('x', contact))).toEqual(contacts.map((contact) => way('x', contact)));
    const same = contacts.filter((contact) => JSON.stringify(way('x', contact)) === JSON.stringify(way('y', contact)));
    expect(same.length).toBeLessThan(120);
  });

  test('the way of a contact never changes from release to release', () => {
    expect(ways.slice(0, 12).join('')).toBe('acbbaabababc');
  });
});

test('a custom field is the same below contact.custom_fields, with its default', () => {
  const { find } = scopeOf(context);
  expect(['plan', 'city', 'data.shop.id', 'age.years'].map((key) => find(`contact.custom_fields.${key}`))).toEqual([
    'free',
    'Großenhain',
    7,
    undefined,
  ]);
});
