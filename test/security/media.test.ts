import { request as sendRequest } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aPicture, aPixelBomb, aZipBomb } from '../helpers/files.ts';

type Shown = { id: string; type: string; content_type: string; url: string; thumbnail_url: string | null };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const upload = async (body: Buffer, name = 'a.png', type = 'image/png') =>
  (
    await api.request<Shown>('POST', `/v1/media?name=${encodeURIComponent(name)}`, {
      key: account.apiKey,
      body,
      headers: { 'content-type': type },
    })
  ).body;

const get = async (url: string) => {
  const { statusCode: status, headers, body } = await sendRequest(url);
  await body.dump();
  return { status, headers };
};

const script = '<script>alert(document.domain)</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>`;

describe('nothing that an attacker uploads runs in a page of ours', () => {
  const plain: readonly (readonly [what: string, bytes: () => Buffer | Promise<Buffer>, name: string, type: string])[] =
    [
      ['HTML', () => Buffer.from(`<!doctype html>${script}`), 'a.html', 'text/html'],
      ['HTML called a picture', () => Buffer.from(script), 'a.png', 'image/png'],
      ['SVG', () => Buffer.from(svg), 'a.svg', 'image/svg+xml'],
      ['SVG in XML', () => Buffer.from(`<?xml version="1.0"?>${svg}`), 'a.png', 'image/png'],
      ['a pixel bomb', () => aPixelBomb(), 'a.png', 'image/png'],
      ['a zip bomb', () => aZipBomb(), 'a.zip', 'application/zip'],
      ['a GIF that is a script', () => Buffer.from('GIF89a/*\u0001\u0000*/=1;alert(1)//'), 'a.gif', 'image/gif'],
      ['a cut off JPEG', async () => (await aPicture('jpeg')).subarray(0, 300), 'a.jpg', 'image/jpeg'],
      [
        'a PDF',
        () => Buffer.from('%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>'),
        'a.pdf',
        'application/pdf',
      ],
      ['a script', () => Buffer.from('alert(1)'), 'a.js', 'text/javascript'],
    ];

  test.each(plain)('%s is a plain file, which browsers save and never show', async (_, bytes, name, type) => {
    const shown = await upload(await bytes(), name, type);
    expect(shown).toMatchObject({ type: 'file', thumbnail_url: null });
    expect(await get(shown.url)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringMatching(/^attachment;/),
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      },
    });
  });

  test('a picture with HTML behind it is shown as the picture that it is, and as nothing else', async () => {
    const shown = await upload(Buffer.concat([await aPicture('jpeg'), Buffer.from(script)]), 'a.html', 'text/html');
    expect(shown).toMatchObject({ type: 'image', content_type: 'image/jpeg' });
    expect((await get(shown.url)).headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });
});

test('a link of another file, another time, another key or none opens nothing', async () => {
  const [one, other] = [await upload(await aPicture()), await upload(Buffer.from('secret'))];
  const url = new URL(one.url);
  const changed = (change: (url: URL) => void) => {
    const copy = new URL(url);
    change(copy);
    return copy.href;
  };
  const wrong = [
    changed(({ searchParams }) => searchParams.delete('signature')),
    changed(({ searchParams }) => searchParams.delete('expires')),
    changed(({ searchParams }) => searchParams.set('expires', '99999999999')),
    changed(({ searchParams }) => searchParams.set('expires', '1e9')),
    changed(({ searchParams }) => searchParams.set('signature', 'A'.repeat(48))),
    changed(({ searchParams }) => searchParams.set('signature', `${searchParams.get('signature')?.slice(0, -4)}AAAA`)),
    changed((copy) => void (copy.pathname = new URL(other.url).pathname)),
    changed((copy) => void (copy.pathname = '/media/../../etc/passwd/x')),
    changed((copy) => void (copy.pathname = '/media/%2e%2e%2f%2e%2e/x')),
  ];
  const statuses = await Promise.all(wrong.map(async (link) => (await get(link)).status));
  expect(statuses.filter((status) => status < 400)).toEqual([]);
});
