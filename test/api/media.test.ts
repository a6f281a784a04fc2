import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { request as sendRequest } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertMedia, useMedia } from '../../src/shared/media/queries.ts';
import { removeMedia } from '../../src/shared/media/remove-media.ts';
import { keysOf } from '../../src/shared/media/store.ts';
import { parseId } from '../../src/shared/ids.ts';
import { mediaNoun } from '../../src/shared/media/schema.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aPicture, aSound } from '../helpers/files.ts';
import { ageMedia } from '../helpers/states/media.ts';

type Shown = {
  id: string;
  type: string;
  name: string;
  content_type: string;
  size: number;
  width: number | null;
  height: number | null;
  url: string;
  thumbnail_url: string | null;
};
type Refused = { error: { code: string; message: string } };

const mediaQuota = { bytes: 40_000_000, files: 4 };
const api = await useApi({ mediaQuota });
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const upload = (
  body: Buffer,
  { name, type = 'application/pdf', ...headers }: Record<string, string> = {},
  key = account.apiKey,
) =>
  api.request<Shown & Refused>('POST', `/v1/media${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`, {
    key,
    body,
    headers: { 'content-type': type, ...headers },
  });

const download = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
  const answer = await sendRequest(url, { method, headers });
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
};

const rowsLeft = async () => (await api.db`select from media where account_id = ${account.accountId}`).count;
const usage = async () =>
  (
    await api.db<{ bytes: number; files: number }[]>`
    select bytes::float8 as bytes, files from media_usage where account_id = ${account.accountId}`
  )[0];
const filesLeft = async () => {
  const folder = join(api.mediaDir, 'media', account.accountId);
  return (await readdir(folder).catch(() => [])).length;
};
const nothing = { rows: 0, files: 0 };
const left = async () => ({ rows: await rowsLeft(), files: await filesLeft() });

describe('a file', () => {
  test('is stored with the type that is in it, read again, and downloaded byte by byte', async () => {
    const picture = await aPicture('jpeg');
    const { status, body } = await upload(picture, { name: '../../photo.exe', type: 'text/html' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        type: 'image',
        content_type: 'image/jpeg',
        name: 'photo.exe',
        size: picture.length,
        width: 600,
        height: 300,
      },
    });
    const again = await api.request<Shown>('GET', `/v1/media/${body.id}`, { key: account.apiKey });
    expect(again).toMatchObject({ status: 200, body: { id: body.id, url: body.url } });
    const { status: found, bytes, headers } = await download(body.url);
    expect({ found, same: bytes.equals(picture) }).toEqual({ found: 200, same: true });
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(picture.length),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'content-disposition': "inline; filename*=UTF-8''photo.exe",
    });
    const thumbnail = await download(body.thumbnail_url ?? '');
    expect(thumbnail.headers['content-type']).toBe('image/webp');
    expect(thumbnail.bytes.subarray(8, 12).toString()).toBe('WEBP');
    expect(await usage()).toEqual({ bytes: picture.length, files: 1 });
  });

  test('of another account is not there', async () => {
    const { body } = await upload(await aPicture());
    const other = await api.createAccount();
    expect(await api.request('GET', `/v1/media/${body.id}`, { key: other.apiKey })).toMatchObject({ status: 404 });
  });

  test('is answered in ranges, and by its head alone', async () => {
    const sound = aSound();
    const { body } = await upload(sound, { name: 'note.mp3' });
    expect(body).toMatchObject({ type: 'audio', content_type: 'audio/mpeg', thumbnail_url: null });
    const part = await download(body.url, { range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 10-19/${sound.length}` } });
    expect(part.bytes.equals(sound.subarray(10, 20))).toBe(true);
    expect((await download(body.url, { range: 'bytes=-5' })).bytes.equals(sound.subarray(-5))).toBe(true);
    expect((await download(body.url, { range: `bytes=${sound.length - 1}-` })).bytes).toHaveLength(1);
    expect(await download(body.url, { range: `bytes=${sound.length}-` })).toMatchObject({
      status: 416,
      headers: { 'content-range': `bytes */${sound.length}` },
    });
    expect(await download(body.url, { range: 'bytes=0-1,4-5' })).toMatchObject({ status: 200 });
    const head = await download(body.url, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(sound.length) } });
    expect(head.bytes).toHaveLength(0);
  });
});

describe('a file that is refused leaves neither row nor file', () => {
  test('empty, too large, told to be too large, compressed, or a form', async () => {
    const mebibyte = 1024 * 1024;
    const image = Buffer.concat([await aPicture('png'), Buffer.alloc(11 * mebibyte)]);
    expect(await upload(Buffer.alloc(0))).toMatchObject({ status: 422 });
    // What was too large ends the connection.
    expect(await upload(Buffer.alloc(16 * mebibyte + 1), { connection: 'close' })).toMatchObject({ status: 413 });
    expect(await upload(image)).toMatchObject({
      status: 413,
      body: { error: { message: 'The file is larger than 10 MiB.' } },
    });
    expect(await upload(Buffer.from('x'), { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 });
    expect(await upload(Buffer.from('x'), { type: 'multipart/form-data; boundary=x' })).toMatchObject({ status: 415 });
    expect(await left()).toEqual(nothing);
  });

  test('once the account has as many files as it may, also when several come at once', async () => {
    const all = await Promise.all(Array.from({ length: 7 }, (_, index) => upload(Buffer.from(`file ${index}`))));
    expect(all.map(({ status }) => status === 201).filter(Boolean)).toHaveLength(4);
    expect(await left()).toEqual({ rows: 4, files: 4 });
    expect(await upload(Buffer.from('one more'))).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  test('beyond the bytes that the account may keep, and what still fits is taken', async () => {
    const large = Buffer.alloc(15_000_000, 1);
    for (const status of [201, 201, 409]) expect(await upload(large)).toMatchObject({ status });
    expect(await left()).toEqual({ rows: 2, files: 2 });
    expect(await usage()).toEqual({ bytes: 30_000_000, files: 2 });
    expect(await upload(Buffer.alloc(9_000_000, 1))).toMatchObject({ status: 201 });
  });
});

describe('removal', () => {
  const sweep = (retentionDays?: number) => removeMedia({ db: api.db, store: api.deps.media.store, retentionDays });

  test('a file that no message uses is gone after a day, with its thumbnail, and counts no more', async () => {
    await upload(await aPicture());
    await ageMedia(api.db, account.accountId, 23);
    await sweep();
    expect(await left()).toEqual({ rows: 1, files: 2 });
    await ageMedia(api.db, account.accountId, 2);
    await sweep();
    expect(await left()).toEqual(nothing);
    expect(await usage()).toEqual({ bytes: 0, files: 0 });
  });

  test('what a killed process left half written or half removed is gone with the next sweep', async () => {
    const { accountId } = account;
    const { store } = api.deps.media;
    await upload(await aPicture());
    const id = await insertMedia(api.db, { accountId, name: 'half' });
    await store.put(
      keysOf({ accountId, id }).file,
      (async function* half() {
        yield Buffer.from('half');
      })(),
    );
    await ageMedia(api.db, accountId, 25);
    const killed = {
      ...store,
      remove: async (key: string) => {
        await store.remove(key);
        throw new Error('killed');
      },
    };
    await expect(removeMedia({ db: api.db, store: killed })).rejects.toThrow('killed');
    expect(await rowsLeft()).toBe(2);
    await sweep();
    expect(await left()).toEqual(nothing);
    expect(await usage()).toEqual({ bytes: 0, files: 0 });
  });

  test('a file that a message uses stays, or goes with the days that files are kept, and counts no more', async () => {
    const { body } = await upload(await aPicture());
    const id = parseId(mediaNoun, body.id) ?? '';
    await useMedia(api.db, account.accountId, [id]);
    await ageMedia(api.db, account.accountId, 30 * 24);
    await sweep();
    await sweep(31);
    expect(await left()).toEqual({ rows: 1, files: 2 });
    await upload(Buffer.from('of today'));
    await sweep(30);
    expect(await left()).toEqual({ rows: 1, files: 1 });
    expect(await usage()).toEqual({ bytes: 8, files: 1 });
    expect(await download(body.url)).toMatchObject({ status: 404 });
  });

  test('files are readable by the user of the service alone', async () => {
    const { body } = await upload(Buffer.from('private'));
    const id = parseId(mediaNoun, body.id) ?? '';
    const { mode } = await stat(join(api.mediaDir, 'media', keysOf({ accountId: account.accountId, id }).file));
    expect(mode & 0o077).toBe(0);
  });
});
