import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRequestProblems } from '../../../../src/shared/flows/blocks/check-request.ts';
import { requestSchema } from '../../../../src/shared/flows/blocks/request-schema.ts';
import { isCurl, parseCurl } from '../../../../src/shared/flows/curl/parse-curl.ts';
import { cpuMsOf } from '../../../helpers/cpu-time.ts';
import { apis } from './fixtures/apis.ts';
import { authorization } from './fixtures/authorization.ts';
import { browsers } from './fixtures/browsers.ts';
import { data } from './fixtures/data.ts';
import { options } from './fixtures/options.ts';
import { quoting } from './fixtures/quoting.ts';
import { refusals } from './fixtures/refusals.ts';
import { services } from './fixtures/services.ts';

const read = { services, apis, browsers, quoting, options, data, authorization };
const all = Object.values(read).flat();

const asNotes = (notes: readonly (readonly [string, string])[] = []) =>
  notes.map(([option, said]) => ({ option, said }));

describe.for(Object.entries(read))('reads exactly, of %s,', ([, fixtures]) => {
  test.for(fixtures)('$name', ({ text, request, credentials = [], exposed = [], notes }) => {
    expect(parseCurl(text)).toEqual({ ok: true, request, credentials, exposed, notes: asNotes(notes) });
  });
});

describe('refuses with the place and the reason', () => {
  test.for(refusals)('$name', ({ text, problems, notes }) => {
    const said = problems.map(([position, message]) => ({ position, message }));
    expect(parseCurl(text)).toEqual({ ok: false, problems: said, notes: asNotes(notes) });
  });
});

test('a default of a shell variable appears nowhere: it may be a secret', () => {
  const parsed = parseCurl('curl "https://a.example/x?k=${KEY:-sk_live_t0ps3cret}" -H "X-Shop: ${SHOP:=t0ps3cret}"');
  expect(parsed.ok).toBe(true);
  expect(JSON.stringify(parsed)).not.toContain('t0ps3cret');
});

test('a form of more pairs than a block has is sent as it stands, in a time that its length alone decides', () => {
  const text = `curl https://a.example/ -d '${'%41='.repeat(20)}${'a%41=%42&'.repeat(10_000)}'`;
  let parsed: ReturnType<typeof parseCurl> | undefined;
  expect(cpuMsOf(() => (parsed = parseCurl(text)))).toBeLessThan(2_000);
  expect(parsed).toMatchObject({ ok: true, request: { body_type: 'raw' } });
});

test('what is read is a block at once: its schema and its checks have nothing to say', () => {
  const known = { flowId: null, country: null, channels: [], refuseUrl: () => undefined };
  const maps = {
    fields: new Map(),
    tags: new Set<string>(),
    flows: new Map(),
    tagging: new Map(),
    credentials: new Map(),
  };
  const problems = all.flatMap(({ text }): unknown[] => {
    const parsed = parseCurl(text);
    if (!parsed.ok) return parsed.problems;
    const block = requestSchema.parse({ id: 'a', type: 'external_request', ...parsed.request });
    return findRequestProblems(block, { ...known, ...maps });
  });
  expect(problems).toEqual([]);
});

test('a secret of a text is in the proposal of a credential, and nowhere else', () => {
  const secrets = all.flatMap(({ text }) => {
    const parsed = parseCurl(text);
    if (!parsed.ok) return [];
    return parsed.credentials.flatMap(({ credential, missing }) => {
      const { name: _, hosts, type, ...parts } = credential;
      const values = Object.entries(parts).flatMap(([part, value]) =>
        part === 'header' || part === 'parameter' ? [] : [value],
      );
      const elsewhere = JSON.stringify({ request: parsed.request, notes: parsed.notes });
      expect(missing.every((part) => Object.hasOwn(parts, part))).toBe(true);
      return values
        .filter((value) => value.length > 3)
        .map((value) => ({ value, hosts, type, isShown: elsewhere.includes(value) }));
    });
  });
  expect(secrets.length).toBeGreaterThan(15);
  expect(secrets.filter(({ isShown }) => isShown)).toEqual([]);
});

test('a proposed credential has a name that the account does not have yet', () => {
  const text = 'curl https://api.shop.example/x -H "Authorization: Bearer 1" -H "X-Api-Key: 2"';
  const parsed = parseCurl(text, { taken: ['shop', 'shop_2', 'shop_x_api_key'] });
  expect(parsed).toMatchObject({
    ok: true,
    request: { credential: 'shop_3', headers: { 'X-Api-Key': '{{credential.shop_x_api_key_2}}' } },
  });
});

test('a secret that no credential can hold is left out of the request, and asked for', () => {
  const parsed = parseCurl(`curl https://shop.example/x -H 'X-Api-Key: schlüssel-4711'`);
  expect(parsed).toMatchObject({ ok: true, request: { credential: 'shop' }, credentials: [{ missing: ['value'] }] });
  expect(JSON.stringify(parsed)).not.toContain('4711');
});

test.for([
  ['curl https://a.example', true],
  ['$ /usr/bin/curl -s https://a.example', true],
  ['C:\\tools\\curl.exe "https://a.example"', true],
  ['the word curly is no command', false],
  ['https://a.example/curl', false],
] as const)('%j is a cURL command: %s', ([text, is]) => {
  expect(isCurl(text)).toBe(is);
});

test('a text has at most 100,000 characters, and a command 200 options', () => {
  const long = `curl https://a.example/x -d '${'x'.repeat(100_000)}'`;
  expect(parseCurl(long)).toMatchObject({ ok: false, problems: [{ position: 100_000 }] });
  const options = (count: number) => parseCurl(`curl https://a.example/x ${'-s '.repeat(count)}`);
  expect(options(200).ok).toBe(true);
  expect(options(201)).toMatchObject({ ok: false, problems: [{ message: 'has more than 200 options' }] });
});

test('the address where the account tries requests is not told as a secret, another one is', () => {
  const ownUrl = 'https://127.0.0.1:24290/Rpobgx7xjUOoloi6_R1VFLMVUEemFwq3zqty6gA7gMY';
  const exposedIn = (url: string) => {
    const parsed = parseCurl(`curl '${url}'`, { ownUrl });
    return parsed.ok && parsed.exposed.map(({ text }) => text);
  };
  expect(exposedIn(`${ownUrl}/orders`)).toEqual([]);
  expect(exposedIn(`${ownUrl}/orders/sk51Habcdef0123456789`)).toEqual(['sk51Habcdef0123456789']);
  expect(exposedIn(ownUrl.replace('127.0.0.1', 'a.example'))).toEqual(['Rpobgx7xjUOoloi6_R1VFLMVUEemFwq3zqty6gA7gMY']);
});

describe('a hostile text of 100,000 characters is read in linear time', () => {
  const marks = `' " \` \\ ^ $ % & # @ { } [ ( < > = : ; / ? - ~ {{ {{a {{" $( \${ %AB% $' \\\\" ^\\^" "" <<A [1- {a, /.. &a a=& @@ $(a) {b} "{`;
  const pieces = [...marks.split(' '), '$A ', '`\n', '^\n', '\\\n', ' -d', ' -H a:', '; '];
  const befores = [
    'curl ',
    'curl https://a.example/?',
    "curl https://a.example/ -d '",
    'curl https://a.example/ -d "',
    "curl https://a.example/ -d $'",
    'curl ^"https://a.example/',
    'curl `\n"https://a.example/',
    "curl https://a.example/ -H 'A: ",
  ];
  test.for(befores)('behind %j', (before) => {
    const slow = pieces.filter((piece) => {
      const text = (before + piece.repeat(100_000)).slice(0, 99_999);
      return cpuMsOf(() => parseCurl(text)) > 2_000;
    });
    expect(slow).toEqual([]);
  });
});

test('no text makes it throw, and every answer is a block or has a problem', () => {
  const marks = `-d -H -u -F -X --json= https://a.example/ ' " \\ ^ \` $ {{ }} % @ = : & | <<A $( # Authorization: Bearer a 1`;
  const mark = fc.constantFrom(...marks.split(' '), ' ', '\n', '-d ', '-H ', '-u ', "-H 'Authorization: Bearer ");
  const piece = fc.oneof(mark, fc.string({ unit: 'binary', maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
      const parsed = parseCurl(`curl ${parts.join('')}`);
      const block = parsed.ok && { id: 'a', type: 'external_request', ...parsed.request };
      const isAnswer = parsed.ok ? requestSchema.safeParse(block).success : parsed.problems.length > 0;
      expect(isAnswer).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
