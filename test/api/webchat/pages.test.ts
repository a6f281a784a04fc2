import { beforeEach, expect, test } from 'vitest';
import { request } from 'undici';
import { newUuid, showId } from '../../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { aWebchat, type TestWebchat } from '../../helpers/webchat/visitor.ts';

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
beforeEach(async () => {
  account = await api.createAccount();
  channel = await aWebchat(api, account, { name: '<script>alert(1)</script>' });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await request(`${api.url}/webchat/${path}`, { headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
};

test('the loader is served to any site, and asked for anew when it has changed', async () => {
  const loader = await get(`${channel.id}.js`, { origin: 'https://shop.example' });
  expect(loader.status).toBe(200);
  expect(loader.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    etag: expect.any(String),
  });
  expect((await get(`${channel.id}.js`, { 'if-none-match': String(loader.headers['etag']) })).status).toBe(304);
});

test('the part that the loader imports is served below the channel, and kept for good', async () => {
  const loader = await get(`${channel.id}.js`);
  const [part] = /widget-[\w-]+\.js/.exec(loader.text) ?? [];
  expect(part).toBeDefined();
  const { status, headers } = await get(`${channel.id}/${part}`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
  });
});

test.for([
  'nonsense.js',
  'loader.js',
  'chn_x/loader.js',
  'chn_x/widget-.js',
  'chn_x/..%2Floader.js',
  `${showId('channel', newUuid())}/widget-none.js`,
])('there is nothing at /webchat/%s: 404 as JSON', async (path) => {
  const { status, text } = await get(path, { accept: 'text/html' });
  expect(status).toBe(404);
  expect(JSON.parse(text).error.code).toBe('not_found');
});

test('the demo page runs nothing but the widget, and shows the name of a channel as text', async () => {
  const { status, headers, text } = await get(`${channel.id}/demo`);
  expect(status).toBe(200);
  const policy = String(headers['content-security-policy']);
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy.split('; ')).toContain(part);
  expect(policy).not.toContain('unsafe');
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&lt;script&gt;');
  expect(text).toContain(`<script src="/webchat/${channel.id}.js" async></script>`);
});

test('the demo page of a channel that is not there, or is deleted, is 404', async () => {
  await api.request('DELETE', `/v1/channels/${channel.id}`, { key: account.apiKey });
  for (const id of [channel.id, showId('channel', newUuid()), 'chn_x'])
    expect((await get(`${id}/demo`)).status).toBe(404);
});
