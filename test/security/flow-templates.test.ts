import { expect, test } from 'vitest';
import { renderJson } from '../../src/shared/flows/templating/render-json.ts';
import { renderUrl } from '../../src/shared/flows/templating/render-url.ts';
import {
  encodeForm,
  renderForm,
  renderHeader,
  renderText,
  type Rendered,
} from '../../src/shared/flows/templating/render.ts';
import { isBlock, enter } from '../helpers/blocks.ts';
import { cpuMsOf } from '../helpers/cpu-time.ts';
import { aScope } from '../helpers/scope.ts';
import { aBlockContext } from '../helpers/block-context.ts';
import { reportAttack } from './report.ts';

const values = [
  [
    '"',
    '\\',
    '\\"',
    '","admin":true,"x":"',
    '"}, {"evil": "',
    '\\u0022',
    '\n',
    '\r\n',
    '\0',
    '\u2028',
    '\ud800',
    '/*',
    '//',
  ],
  [
    '..',
    '.',
    '../../admin',
    '%2e%2e',
    '..%2f',
    '/admin',
    '//evil.example/',
    '\\\\evil.example',
    '@evil.example',
    ':80',
    '#',
    '?',
  ],
  [
    '&admin=1',
    '=',
    ';',
    '+',
    '%00',
    'a\r\nX-Admin: 1',
    'a\nX-Admin: 1',
    '{{secret}}',
    '}}{{secret}}{{',
    '__proto__',
    'null',
    'true',
  ],
].flat();

const okay = (rendered: Rendered, isRight: (text: string) => boolean): boolean =>
  !rendered.ok || isRight(rendered.text);

/** The places of a request, and whether a value stays in each. A request that is refused goes nowhere. */
const places: Readonly<Record<string, (value: string) => boolean>> = {
  json: (value) =>
    okay(renderJson('{"role": "user", "name": "{{x}}", "raw": [{{x}}]}', scopeOf(value)), (text) => {
      const { role, name, raw, ...others } = JSON.parse(text);
      return role === 'user' && name === value && raw.length === 1 && raw[0] === value && !('admin' in others);
    }),
  jsonBetweenEscapes: (value) =>
    okay(renderJson('["a\\\\{{x}}\\"{{x}}", 1]', scopeOf(value)), (text) => {
      const parsed: unknown[] = JSON.parse(text);
      return parsed.length === 2 && parsed[0] === `a\\${value}"${value}`;
    }),
  jsonAfterBackslash: (value) =>
    okay(renderJson('["\\{{x}}"]', scopeOf(value)), (text) => {
      const parsed: unknown[] = JSON.parse(text);
      return parsed.length === 1 && parsed[0] === `\\${value}`;
    }),
  path: (value) =>
    okay(renderUrl('https://shop.example:8443/orders/{{x}}/lines?key=1', scopeOf(value)), (text) => {
      const url = new URL(text);
      const segments = url.pathname.split('/');
      const isThere = decodeURIComponent(segments[2] ?? '') === value.toWellFormed();
      return url.origin === 'https://shop.example:8443' && segments.length === 4 && isThere && url.search === '?key=1';
    }),
  query: (value) =>
    okay(renderUrl('https://shop.example/orders?name={{x}}&key=1', scopeOf(value)), (text) => {
      const url = new URL(text);
      const isThere = url.searchParams.get('name') === value.toWellFormed();
      return url.host === 'shop.example' && url.pathname === '/orders' && isThere && [...url.searchParams].length === 2;
    }),
  header: (value) =>
    okay(renderHeader('Bearer {{x}}', scopeOf(value)), (text) => !/[\r\n\0]/.test(text) && text === `Bearer ${value}`),
  form: (value) =>
    okay(renderForm('{{x}}', scopeOf(value)), (text) => {
      const form = [...new URLSearchParams(`${encodeForm('a')}=${text}&key=1`)];
      return form.length === 2 && form[0]?.[1] === value.toWellFormed();
    }),
  message: (value) => okay(renderText('<{{x}}>', scopeOf(value)), (text) => text === `<${value}>`),
};

const scopeOf = (value: string) => aScope({ x: value, secret: 'leaked' });

test('a value stays in its place of a request, or the request is refused', async () => {
  const tries = Object.entries(places).flatMap(([place, stays]) => values.map((value) => ({ place, value, stays })));
  const through = tries.filter(({ value, stays }) => !stays(value));
  expect(through.map(({ place, value }) => `${place}: ${value}`)).toEqual([]);
  await reportAttack('templateInjection', { tried: tries.length, through: through.length });
});

test('a template reaches nothing but the values of its contact', async () => {
  const templates = [
    [
      'constructor',
      '__proto__',
      'constructor.constructor',
      'x.constructor.name',
      'x.length',
      'x.__proto__.polluted',
      'toString',
    ],
    [
      'process.env.PATH',
      'globalThis',
      'this',
      'require',
      'contact.__proto__',
      'hasOwnProperty',
      'valueOf',
      'x.0',
      'list.length',
    ],
    [
      "constructor.constructor('return process')()",
      'x|constructor',
      'x|__proto__',
      '1+1',
      'x[0]',
      '`x`',
      'import("fs")',
      '${x}',
    ],
  ].flat();
  const scope = aScope({ x: 'text', list: ['a'] });
  const reached = templates.filter((inner) => {
    const rendered = renderText(`{{${inner}}}`, scope);
    return rendered.ok && rendered.text !== '';
  });
  expect(reached).toEqual([]);
  await reportAttack('templateEscape', { tried: templates.length, through: reached.length });
});

test('no template and no pattern takes long', async () => {
  const long = 'ab'.repeat(500_000);
  const templates = [
    '{{',
    '{{x',
    '{{x|default:"',
    '{{x|json|json|json|json}}',
    '{{x|upper|date:"YYYY"}}',
    '{{x}}',
    '"{{x}}\\',
  ];
  const patterns = [
    '(a+)+$',
    '(a|a)*$',
    '(a*)*b',
    '(.*a){20}c',
    '(?:[ab]?){90}[c-d][e-f]',
    '((a{9}){9}){9}',
    '(x+x+)+y',
  ];
  const tries = [
    ...templates.map((piece) => () => {
      const source = piece.repeat(Math.floor(200_000 / piece.length));
      renderText(source, aScope({ x: long }));
      renderJson(source, aScope({ x: long }));
    }),
    ...patterns.map((value) => () => {
      const rule = { type: 'condition', rules: [{ field: 'params.x', op: 'matches', value }] };
      if (isBlock(rule)) enter(rule, aBlockContext({ run: { params: { x: long } } }));
    }),
  ];
  const times = tries.map((attack) => cpuMsOf(attack));
  const longest = Math.max(...times);
  await reportAttack('costlyTemplates', { tried: times.length, through: times.filter((ms) => ms > 1_000).length });
  expect(longest).toBeLessThan(1_000);
});
