import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceJsonSecrets } from '../../../../src/shared/flows/curl/json-secrets.ts';
import { parseCurl } from '../../../../src/shared/flows/curl/parse-curl.ts';

type Quote = (text: string) => string;

const inSingleQuotes: Quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

const inDoubleQuotes: Quote = (text) => `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`;

const inAnsiC: Quote = (text) =>
  `$'${text.replaceAll(/[^ -&(-[\]-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;

const withBackslashes: Quote = (text) =>
  text === '' ? "''" : text.replaceAll(/[^\w\n]/gu, '\\$&').replaceAll('\n', `'\n'`);

/** As programs of Windows read their arguments, and with a caret before all that cmd would read itself. */
const forCmd: Quote = (text) => {
  const argument = `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
  return argument.replaceAll(/[()%!^"<>&|]/g, '^$&').replaceAll('\n', '^\n\n');
};

/** As Chrome copies a request for cmd: each backslash is doubled. */
const asChromeDoes: Quote = (text) => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  const careted = escaped.replaceAll(/[^\w\s\-:=+~'/.,?;()*`]/g, '^$&').replaceAll(/%(?=\w)/g, '%^');
  return `^"${careted.replaceAll('\n', '^\n\n')}^"`;
};

/** Windows PowerShell hands a quote on to a program where a backslash is before it. */
const inPowerShell: Quote = (text) => `'${text.replaceAll(/(\\*)"/g, '$1$1\\"').replaceAll("'", "''")}'`;

/** Everything but what has a meaning here: NUL, which no argument has, and double braces. A carriage return ends a line of cmd. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc
      .array(fc.constantFrom(...Array.from('\'"\\^%$`!&|<>(){}[]=;:,# \n\tab1é€😀'), '%A%', '$A', '\\"'), {
        maxLength: 20,
      })
      .map((parts) => parts.join('')),
  )
  .map((written) =>
    written
      .toWellFormed()
      .replaceAll(/[\0\r]/g, '')
      .replaceAll('{{', '{'),
  );

const value = fc
  .string({ minLength: 1, maxLength: 20 })
  .filter((written) => written.trim() === written && !written.includes('{{'));

const body = fc.oneof(
  fc
    .jsonValue()
    .map((json) => ({ type: 'application/json', data: JSON.stringify(json) }))
    // The value of a key such as "key" is left out on purpose.
    .filter(({ data }) => replaceJsonSecrets(data, () => '') === data),
  text.filter((data) => data.trim() !== '').map((data) => ({ type: 'text/plain', data })),
);

const request = fc.record({
  method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
  segments: fc.array(
    text.filter((segment) => !/^\.{0,2}$/.test(segment)),
    { maxLength: 3 },
  ),
  query: fc.array(text, { maxLength: 3 }),
  headers: fc.array(value, { maxLength: 3 }),
  body: fc.option(body.filter(({ data }) => !data.includes('{{'))),
});

type Request = typeof request extends fc.Arbitrary<infer Made> ? Made : never;

const urlOf = ({ segments, query }: Request): string => {
  const parameters = query.map((parameter, index) => `p${index}=${encodeURIComponent(parameter)}`);
  return `https://a.example/${segments.map(encodeURIComponent).join('/')}${parameters.length === 0 ? '' : '?'}${parameters.join('&')}`;
};

const render = (made: Request, quote: Quote, lineEnd: string): string => {
  const headers = [
    ...made.headers.map((written, index) => `X-P${index}: ${written}`),
    ...(made.body ? [`Content-Type: ${made.body.type}`] : []),
  ];
  return [
    `curl ${quote(urlOf(made))}`,
    `  -X ${made.method}`,
    ...headers.map((written) => `  -H ${quote(written)}`),
    ...(made.body ? [`  --data-raw ${quote(made.body.data)}`] : []),
  ].join(`${lineEnd}\n`);
};

const expectedOf = (made: Request): Record<string, unknown> => {
  const isJson = made.body?.type === 'application/json';
  const headers = [
    ...made.headers.map((written, index) => [`X-P${index}`, written]),
    ...(made.body && !isJson ? [['Content-Type', made.body.type]] : []),
  ];
  return {
    method: made.method,
    url: urlOf(made),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) as Record<string, string> }),
    ...(made.body && { body_type: isJson ? 'json' : 'raw', body: made.body.data }),
  };
};

test.for<[string, Quote, string]>([
  ['sh, in single quotes', inSingleQuotes, ' \\'],
  ['sh, in double quotes', inDoubleQuotes, ' \\'],
  ["bash, in $'…'", inAnsiC, ' \\'],
  ['sh, by backslashes', withBackslashes, ' \\'],
  ['cmd, as Windows quotes', forCmd, ' ^'],
  ['cmd, as Chrome quotes', asChromeDoes, ' ^'],
  ['PowerShell, in single quotes', inPowerShell, ' `'],
])('any request that is written for %s is read as it was', ([, quote, lineEnd]) => {
  fc.assert(
    fc.property(request, (made) => {
      expect(parseCurl(render(made, quote, lineEnd))).toEqual({
        ok: true,
        exposed: expect.any(Array),
        request: expectedOf(made),
        credentials: [],
        notes: [],
      });
    }),
    { numRuns: 500 },
  );
});
