import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTemplate, placeholdersOf, templateLimits } from '../../../../src/shared/flows/templating/template.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';

const problemsOf = (source: string): string[] =>
  parseTemplate(source).problems.map(({ position, message }) => `${position}: ${message}`);

test('a placeholder has a name, filters with arguments, and blanks where one likes', () => {
  const source = 'Hi {{ first_name | default : "you \\"there\\"" | upper }}, {{params.items.0}}{{"{{"}}';
  const template = parseTemplate(source);
  expect(template.problems).toEqual([]);
  expect(template.parts.filter((part) => typeof part === 'string')).toEqual(['Hi ', ', ']);
  const [name, item, literal] = placeholdersOf(template);
  expect(name).toMatchObject({
    position: 3,
    path: 'first_name',
    filters: [
      { name: 'default', argument: 'you "there"' },
      { name: 'upper', argument: undefined },
    ],
  });
  expect(source.slice(name?.position, name?.end)).toBe('{{ first_name | default : "you \\"there\\"" | upper }}');
  expect(item?.path).toBe('params.items.0');
  expect(literal).toMatchObject({ path: null, literal: '{{' });
});

test.for([
  ["{{x|default:'a'}}", 'a'],
  ['{{x|default:0}}', 0],
  ['{{x|default:-1.5}}', -1.5],
  ['{{x|default:false}}', false],
  ['{{x|default:null}}', null],
  ['{{x|default:"a\\nb\\\\"}}', 'a\nb\\'],
  ['{{x|default:"}}"}}', '}}'],
] as const)('%s has the argument %j', ([source, argument]) => {
  expect(placeholdersOf(parseTemplate(source))[0]?.filters).toEqual([{ name: 'default', argument }]);
});

test.for([
  ['{{items[0].id}}', 'items.0.id'],
  ['{{items.0.id}}', 'items.0.id'],
  ['{{a[1][2]}}', 'a.1.2'],
] as const)('%s is the path %s', ([source, path]) => {
  expect(parseTemplate(source)).toMatchObject({ problems: [], parts: [{ path }] });
});

test.for([
  ['{{', '2: has no name after {{'],
  ['{{}}', '2: has no name after {{'],
  ['a {{1x}}', '4: has no name after {{'],
  ['{{x', '3: is not closed by }} or has something else before it'],
  ['{{x y}}', '4: has a blank in its name, and names have none: {{x_y}} perhaps'],
  ['Hi {{first name}}!', '11: has a blank in its name, and names have none: {{first_name}} perhaps'],
  ['{{x|upper y}}', '10: is not closed by }} or has something else before it'],
  ['{{“Ada”}}', '2: has the curly quote “, where " or \' is needed'],
  ['{{x|default:“Ada”}}', '12: has the curly quote “, where " or \' is needed'],
  ['{{x|default: ‘Ada’}}', '13: has the curly quote ‘, where " or \' is needed'],
  ['{{x|default:„Ada“}}', '12: has the curly quote „, where " or \' is needed'],
  ['{{x”}}', '3: has the curly quote ”, where " or \' is needed'],
  ['{{x}', '3: is not closed by }} or has something else before it'],
  ['{{{x}}}', '2: has a brace too many: a placeholder begins with two'],
  ['{{x|shout}}', '9: has an unknown filter; there are default, json, urlencode, lower, upper, trim, date'],
  ['{{x|constructor}}', '15: has an unknown filter; there are default, json, urlencode, lower, upper, trim, date'],
  ['{{x|default}}', '11: needs a quoted text after default:'],
  ['{{x|date:7}}', '10: needs a quoted text after date:'],
  ['{{x|upper:"a"}}', '13: has an argument for upper, which takes none'],
] as const)('%s is refused with its position', ([source, problem]) => {
  expect(problemsOf(source)).toEqual([problem]);
});

test('every problem of a template is told at once', () => {
  expect(problemsOf('{{1}} {{x}} {{y|no}} {{z')).toHaveLength(3);
});

test('a template has bounds: its length, its placeholders, its filters, the parts of a name', () => {
  expect(problemsOf('x'.repeat(templateLimits.characters + 1))).toHaveLength(1);
  expect(problemsOf('{{x}}'.repeat(templateLimits.placeholders))).toEqual([]);
  expect(problemsOf('{{x}}'.repeat(templateLimits.placeholders + 1))).toHaveLength(1);
  expect(problemsOf(`{{x${'|trim'.repeat(templateLimits.filters + 1)}}}`)).toHaveLength(1);
  expect(problemsOf(`{{x${'.x'.repeat(templateLimits.segments)}}}`)).toHaveLength(1);
});

test('text without {{ is itself, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('{{'));
      expect(parseTemplate(text)).toEqual({ source: text, parts: text === '' ? [] : [text], problems: [] });
    }),
  );
});

test('a template is read into exactly the texts and placeholders that it was written of', () => {
  const text = fc.string({ minLength: 1 }).filter((written) => !/[{}]/.test(written));
  const name = fc.constantFrom('first_name', 'params.items.0', 'größe', '_x-1');
  const argument = fc.string().map((value) => value.replace(/[\\"]/g, ''));
  const placeholder = fc.record({ name, argument }).map((one) => ({
    ...one,
    written: `{{ ${one.name} | default:${JSON.stringify(one.argument)} }}`,
  }));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, placeholder), { maxLength: 10 }), (pairs) => {
      const source = pairs.map(([before, { written }]) => before + written).join('');
      const template = parseTemplate(source);
      expect(template.problems).toEqual([]);
      const read = template.parts.map((part) =>
        typeof part === 'string' ? part : [part.path, part.filters[0]?.argument, source.slice(part.position, part.end)],
      );
      expect(read).toEqual(pairs.flatMap(([before, one]) => [before, [one.name, one.argument, one.written]]));
    }),
  );
});

test.for(['{{', '{{x', '{{x|default:"', '{{"', '{{x|', '{{x ', '{{x.', '{{ ', '{{x|default:"\\'])(
  'reading is linear: a hundred thousand times %j takes no longer than it must',
  (piece) => {
    const source = piece.repeat(Math.floor(templateLimits.characters / piece.length));
    expect(cpuMsOf(() => parseTemplate(source))).toBeLessThan(500);
  },
);
