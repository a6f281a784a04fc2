import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';

const api = await useApi();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, { headers, redirect: 'manual' });

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('/docs is a page whose scripts come from here, and whose policy lets it ask nobody else', async () => {
  const answer = await get('/docs', browser);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = answer.headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]));
  expect(policy.join()).not.toMatch(/https?:|\*|unsafe-eval/);
  const html = await answer.text();
  const scripts = [...html.matchAll(/<script src="([^"]+)"><\/script>/g)].map(([, path = '']) => path);
  expect(scripts).toEqual(['/docs/api-reference.js', '/docs/start.js']);
  for (const path of scripts) {
    const script = await get(path);
    expect([path, script.status, script.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/javascript; charset=utf-8',
    ]);
  }
  const start = await (await get('/docs/start.js')).text();
  expect(start).toContain('"telemetry":false');
  expect(start).toContain('"withDefaultFonts":false');
});

test('its program is sent compressed, whole to who wants it so, and once', async () => {
  const plain = Buffer.from(
    await (await get('/docs/api-reference.js', { 'accept-encoding': 'identity' })).arrayBuffer(),
  );
  const packed = await api.request('HEAD', '/docs/api-reference.js', { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(Number(packed.headers['content-length'])).toBeLessThan(plain.length / 3);
  expect(plain.toString('utf8')).toContain('createApiReference');
  expect(() => gunzipSync(plain)).toThrow('incorrect header check');
  const headers = { 'if-none-match': String(packed.headers['etag']) };
  const again = await api.request('GET', '/docs/api-reference.js', { headers });
  expect(again.status).toBe(304);
});
