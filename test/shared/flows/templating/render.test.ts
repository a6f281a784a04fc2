import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/shared/custom-fields/values.ts';
import { maxRendered } from '../../../../src/shared/flows/templating/budget.ts';
import { renderJson } from '../../../../src/shared/flows/templating/render-json.ts';
import { renderValue } from '../../../../src/shared/flows/templating/render-value.ts';
import {
  encodeForm,
  renderForm,
  renderHeader,
  renderText,
  type Rendered,
} from '../../../../src/shared/flows/templating/render.ts';
import { Marker } from '../../../../src/shared/flows/templating/scope.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { aScope } from '../../../helpers/scope.ts';

const textOf = (rendered: Rendered): string => (rendered.ok ? rendered.text : rendered.problem.code);

describe('text', () => {
  test.for<[string, Json, string]>([
    ['Hi {{name}}!', { name: 'Ada' }, 'Hi Ada!'],
    ['Hi {{name}}!', {}, 'Hi !'],
    ['{{n}} {{yes}} {{nothing}}', { n: 4.5, yes: true, nothing: null }, '4.5 true '],
    ['{{list}}', { list: ['a', 'b', 3] }, 'a, b, 3'],
    ['{{thing}}', { thing: { a: [1] } }, '{"a":[1]}'],
    ['{{thing.a.0.b}}', { thing: { a: [{ b: 'deep' }] } }, 'deep'],
    ['{{a|default:"none"}}', { a: '' }, 'none'],
    ['{{a|default:"none"}}', { a: 0 }, '0'],
    ['{{a|default:"none"}}', { a: false }, 'false'],
    ['{{a|trim|upper|lower|default:"x"}}', { a: '  ' }, 'x'],
    ['{{a|json}}', { a: 'say "hi"' }, '"say \\"hi\\""'],
    ['{{a|json}}', {}, 'null'],
    ['{{a|urlencode}}', { a: 'a b&ü/?' }, 'a%20b%26%C3%BC%2F%3F'],
    ['{{"{{"}}x}}', {}, '{{x}}'],
  ])('%s of %j is %s', ([source, values, expected]) => {
    expect(textOf(renderText(source, aScope(values)))).toBe(expected);
  });

  test.for([
    '__proto__',
    'constructor',
    'toString',
    'a.length',
    'a.constructor',
    'text.length',
    'text.0',
    'a.__proto__.x',
  ])('nothing stands behind {{%s}}: only what data has of its own does', (path) => {
    const values = { a: ['x'], text: 'abc' };
    expect(textOf(renderText(`<{{${path}}}>`, aScope(values)))).toBe('<>');
  });

  test('a key named __proto__ or constructor is a key like any other', () => {
    const values: Json = JSON.parse('{"__proto__": {"polluted": "own"}, "constructor": "mine"}');
    const rendered = renderText('{{__proto__.polluted}} {{constructor}}', aScope(values));
    expect(textOf(rendered)).toBe('own mine');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('what values hold is never read as a template', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const hostile = `{{x}}${value}{{`;
        expect(textOf(renderText('<{{a}}|{{a|trim}}>', aScope({ a: hostile, x: 'evaluated' })))).toBe(
          `<${hostile}|${hostile.trim()}>`,
        );
      }),
    );
  });

  test('a faulty template is refused with its position', () => {
    expect(renderText('Hi {{', aScope({}))).toMatchObject({ ok: false, problem: { code: 'syntax', position: 5 } });
  });

  test('what becomes too long is refused, also when filters alone would make it so', () => {
    const long = 'x'.repeat(maxRendered);
    expect(textOf(renderText('{{a}}', aScope({ a: long })))).toBe(long);
    expect(renderText('{{a}}!{{b}}', aScope({ a: long, b: 'b' }))).toMatchObject({
      problem: { code: 'too_long' },
    });
    const vanishing = '{{a|upper|lower|date:"YYYY"}}'.repeat(1_000);
    const tookMs = cpuMsOf(() => {
      expect(textOf(renderText(vanishing, aScope({ a: long })))).toBe('too_long');
      expect(textOf(renderText('{{a|json|date:"YYYY"}}'.repeat(1_000), aScope({ a: { long } })))).toBe('too_long');
    });
    expect(tookMs).toBeLessThan(1_000);
  });
});

describe('dates', () => {
  const at = '2026-03-04T22:05:09Z';
  test.for([
    ['YYYY-MM-DD HH:mm:ss', '2026-03-04 23:05:09'],
    ['D.M.YY, H:m:s', '4.3.26, 23:5:9'],
    ['hh:mm A', '11:05 PM'],
    ['h A Z', '11 PM +01:00'],
    ['dddd, D MMMM YYYY', 'Wednesday, 4 March 2026'],
    ['ddd MMM', 'Wed Mar'],
    ['[on] D [DD]', 'on 4 DD'],
  ])('%s is %s in Berlin', ([format, expected]) => {
    expect(textOf(renderText(`{{at|date:"${format}"}}`, aScope({ at }, {}, 'Europe/Berlin')))).toBe(expected);
  });

  test('names are in the language of the contact', () => {
    const say = (language: string): string =>
      textOf(renderText('{{at|date:"dddd, D. MMMM"}}', { ...aScope({ at }), language }));
    expect(say('de')).toBe('Mittwoch, 4. März');
    expect(say('no language')).toBe('Wednesday, 4. March');
    expect(say('tlh')).toBe('Wednesday, 4. March');
  });

  test('a date without a time is the same day in every zone', () => {
    const scope = aScope({ day: '2026-03-04' }, {}, 'Pacific/Kiritimati');
    expect(textOf(renderText('{{day|date:"DD.MM."}}', scope))).toBe('04.03.');
  });

  test('what is no date has no text, and a default can stand for it', () => {
    expect(textOf(renderText('{{a|date:"YYYY"|default:"soon"}}', aScope({ a: 'tomorrow' })))).toBe('soon');
    expect(textOf(renderText('{{a|date:"YYYY"}}', aScope({ a: '2026-02-30' })))).toBe('');
  });
});

describe('headers and forms', () => {
  test.for(['a\r\nX-Evil: 1', 'a\n', '\r', 'nul \0', 'Ādá', '\u2028'])('a header with %j is refused', (value) => {
    expect(renderHeader('id {{a}}', aScope({ a: value }))).toMatchObject({
      problem: { code: 'invalid_header', position: 3, path: 'a' },
    });
    expect(renderHeader(`id ${value}`, aScope({}))).toMatchObject({ problem: { code: 'invalid_header', path: null } });
  });

  test('a header takes visible characters, blanks and tabs', () => {
    expect(textOf(renderHeader('Bearer {{a}}', aScope({ a: 'x y\tß' })))).toBe('Bearer x y\tß');
  });

  test('a value of a form is read again as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        fc.pre(name.isWellFormed() && value.isWellFormed());
        const rendered = renderForm('{{a}}', aScope({ a: value }));
        const [pair, ...others] = new URLSearchParams(`${encodeForm(name)}=${textOf(rendered)}`);
        expect(pair).toEqual([name, value]);
        expect(others).toEqual([]);
      }),
    );
  });
});

describe('values', () => {
  test('a placeholder alone keeps its type; beside text it is text', () => {
    const scope = aScope({ n: 7, list: ['a'], nothing: null });
    expect(renderValue('{{n}}', scope)).toEqual({ ok: true, value: 7 });
    expect(renderValue('{{ list }}', scope)).toEqual({ ok: true, value: ['a'] });
    expect(renderValue('{{nothing}}', scope)).toEqual({ ok: true, value: null });
    expect(renderValue('{{n|default:1}}', scope)).toEqual({ ok: true, value: 7 });
    expect(renderValue(' {{n}}', scope)).toEqual({ ok: true, value: ' 7' });
    expect(renderValue('{{n', scope)).toMatchObject({ ok: false });
  });

  test('one that is nested too deeply to be written is refused', () => {
    const deep: Json = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    const scope = aScope({ deep });
    const refused = { ok: false, problem: { message: 'has a value that is nested too deeply' } };
    expect(renderText('{{deep}}', scope)).toMatchObject(refused);
    expect(renderJson('[{{deep}}]', scope)).toMatchObject(refused);
    expect(renderJson('["{{deep|json}}"]', scope)).toMatchObject(refused);
    expect(renderValue('{{deep|json}}', scope)).toMatchObject(refused);
  });

  test('one that filters make too long is refused', () => {
    const scope = aScope({ long: 'x'.repeat(maxRendered) });
    const source = '{{long|upper|lower|upper|lower|upper}}';
    expect(renderValue(source, scope)).toMatchObject({ ok: false, problem: { code: 'too_long', path: 'long' } });
  });
});

test('a marker stands in every place as it is, and no filter changes it', () => {
  const marker = new Marker('cred-Shop_1');
  const scope = aScope({}, { 'credential.shop': marker });
  expect(textOf(renderText('{{credential.shop|upper|json}}', scope))).toBe('cred-Shop_1');
  expect(textOf(renderHeader('Bearer {{credential.shop}}', scope))).toBe('Bearer cred-Shop_1');
  expect(textOf(renderForm('{{credential.shop}}', scope))).toBe('cred-Shop_1');
  expect(() => new Marker('a b')).toThrow('only letters');
  expect(() => new Marker('"')).toThrow('only letters');
});
