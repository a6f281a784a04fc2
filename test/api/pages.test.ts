import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, useApi, type TestApi } from '../helpers/api.ts';

const api = await useApi();

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

type Opened = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

const openAt = async (at: Pick<TestApi, 'url'>, path: string, headers: Record<string, string>): Promise<Opened> => {
  const answer = await request(`${at.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};

const open = (path: string, headers: Record<string, string> = browser): Promise<Opened> => openAt(api, path, headers);

/** The files that the page names, by their paths. */
const filesOf = async (): Promise<string[]> => {
  const { text } = await open('/');
  return [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
};

test('a browser gets the page at every path that is nobody else’s, kept by no cache', async () => {
  for (const path of ['/', '/settings/webhooks', '/contacts/contact_x', '/dashboard', '/v2', '/apis']) {
    const { status, headers, text } = await open(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('<div id="root">');
  }
  expect((await api.request('HEAD', '/settings/api', { headers: browser })).status).toBe(200);
});

test('what is no page stays JSON, also for a browser; behind a credential nothing says what is there', async () => {
  const paths = [
    ['/v1/nothing', 401],
    ['/v1', 401],
    ['/api/nothing', 401],
    ['/api', 401],
    ['/dashboard/api/nothing', 401],
    ['/health/nothing', 404],
    ['/docs/nothing', 404],
    ['/schemas/nothing', 404],
    ['/openapi.json/nothing', 404],
    ['/assets/nothing.js', 404],
  ] as const;
  for (const [path, expected] of paths) {
    const { status, headers } = await open(path);
    expect([path, status]).toEqual([path, expected]);
    expect([path, headers['content-type']]).toEqual([path, 'application/json; charset=utf-8']);
  }
});

test.for(['*/*', 'application/json', 'application/json, text/html'])(
  'a client that takes %s is no browser: there is nothing here',
  async (accept) => {
    for (const path of ['/', '/settings/api']) {
      expect([(await open(path, { accept })).status, path]).toEqual([404, path]);
    }
  },
);

test('only reading opens a page', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
    const { status, body } = await api.request<{ error: { code: string } }>(method, '/settings/api', {
      headers: browser,
    });
    expect([method, status, body.error.code]).toEqual([method, 404, 'not_found']);
  }
});

test('its policy runs no inline script, asks nobody else, and has a nonce of each answer for styles', async () => {
  const [one, other] = [await open('/'), await open('/')];
  const policyOf = ({ headers }: typeof one): string => String(headers['content-security-policy']);
  expect(policyOf(one)).not.toBe(policyOf(other));
  const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(policyOf(one)) ?? [];
  expect(policyOf(one).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(one.headers['referrer-policy']).toBe('same-origin');
  expect(one.text).toContain(`nonce="${nonce}"`);
  expect(one.text).not.toContain('%NONCE%');
  expect([...one.text.matchAll(/<script(?![^>]* src=)/g)]).toEqual([]);
});

test('files whose names tell what is in them are kept for ever, and sent compressed', async () => {
  const files = await filesOf();
  expect(files.length).toBeGreaterThan(2);
  for (const path of files) {
    const plain = await open(path, {});
    expect([path, plain.status]).toEqual([path, 200]);
    const kept = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    expect([path, plain.headers['cache-control']]).toEqual([path, kept]);
    expect(plain.headers['vary']).toContain('Accept-Encoding');
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await request(`${api.url}${path}`, { headers: { 'accept-encoding': encoding } });
      const sent = Buffer.from(await answer.body.arrayBuffer());
      expect([path, answer.headers['content-encoding']]).toEqual([path, encoding]);
      expect(unpack(sent).toString('utf8')).toBe(plain.text);
      // What is as short as a line or two has nothing to be compressed.
      expect(sent.length).toBeLessThan(Math.max(plain.text.length, 200));
    }
  }
});

test('a file that the browser has is not sent again', async () => {
  const [path = ''] = await filesOf();
  const { headers } = await open(path, {});
  const again = await api.request('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
  expect(again.status).toBe(304);
});

test.for(['/assets/../index.html', '/assets/%2e%2e/%2e%2e/package.json', '/.sources', '/index.html.br'])(
  '%s is no file of the dashboard',
  async (path) => {
    const { status, text } = await open(path, { accept: '*/*' });
    expect([status, text.includes('parley')]).toEqual([404, false]);
  },
);

describe('where the API has a host of its own', () => {
  let apart: TestApi;
  beforeAll(async () => {
    apart = await startApi({ config: { baseUrl: 'https://app.example.com', apiUrl: 'https://api.example.com' } });
  });
  afterAll(() => apart.stop());

  test('it serves no page there, nor on a host that is neither', async () => {
    const status = async (path: string, host: string) => (await openAt(apart, path, { ...browser, host })).status;
    expect(await status('/settings/api', 'app.example.com')).toBe(200);
    expect(await status('/settings/api', 'api.example.com')).toBe(401);
    expect(await status('/', 'api.example.com')).toBe(401);
    expect(await status('/', 'other.example.com')).toBe(421);
    expect(await status('/v1/contacts', 'app.example.com')).toBe(404);
  });
});
