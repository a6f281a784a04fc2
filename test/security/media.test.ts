import { request as sendRequest } from 'undici';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aGifOfManyFrames, aPicture, aPixelBomb, aWebpOfManyFrames, aZipBomb } from '../helpers/files.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { aVisitor, aWebchat } from '../helpers/webchat/visitor.ts';

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

/** A JPEG that says so behind its beginning. */
const withComment = (jpeg: Buffer, text: string): Buffer => {
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(text), jpeg.subarray(2)]);
};

/** A JPEG that says that it is so wide and high. */
const ofSize = (jpeg: Buffer, side: number): Buffer => {
  const [copy, frame] = [Buffer.from(jpeg), jpeg.indexOf(Buffer.from([0xff, 0xc0]))];
  copy.writeUInt16BE(side, frame + 5);
  copy.writeUInt16BE(side, frame + 7);
  return copy;
};

const script = '<script>alert(document.domain)</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(1)</script></svg>`;

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
      [
        'a PDF with a zip behind it',
        () => Buffer.concat([Buffer.from('%PDF-1.7\n'), aZipBomb()]),
        'a.pdf',
        'image/png',
      ],
      [
        'HTML that ends in a picture',
        async () => Buffer.concat([Buffer.from(script), await aPicture()]),
        'a.png',
        'image/png',
      ],
      [
        'a JPEG that says it is 65,000 pixels wide',
        async () => ofSize(await aPicture('jpeg'), 65_000),
        'a.jpg',
        'image/jpeg',
      ],
      ['a GIF that says it is 60,000 pixels wide', () => aGifOfManyFrames(1, 60_000), 'a.gif', 'image/gif'],
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

  const pictures: readonly (readonly [what: string, bytes: () => Promise<Buffer>, type: string])[] = [
    [
      'a JPEG with HTML behind it',
      async () => Buffer.concat([await aPicture('jpeg'), Buffer.from(script)]),
      'image/jpeg',
    ],
    ['a JPEG with HTML in a comment', async () => withComment(await aPicture('jpeg'), script), 'image/jpeg'],
    ['a PNG with HTML behind it', async () => Buffer.concat([await aPicture(), Buffer.from(script)]), 'image/png'],
    [
      'a GIF with a script behind it',
      async () => Buffer.concat([await aPicture('gif'), Buffer.from('*/=1;alert(1)//')]),
      'image/gif',
    ],
    ['a WebP with a zip behind it', async () => Buffer.concat([await aPicture('webp'), aZipBomb()]), 'image/webp'],
    ['a GIF of 20,000 frames', async () => aGifOfManyFrames(20_000), 'image/gif'],
    ['a WebP of 1,000 frames', () => aWebpOfManyFrames(1_000), 'image/webp'],
  ];

  test.each(pictures)('%s is shown as the picture that it is, and as nothing else', async (_, bytes, type) => {
    const shown = await upload(await bytes(), 'a.html', 'text/html');
    expect(shown).toMatchObject({ type: 'image', content_type: type });
    const safe = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' };
    expect((await get(shown.url)).headers).toMatchObject({ 'content-type': type, ...safe });
    const thumbnail = await get(shown.thumbnail_url ?? '');
    expect(thumbnail).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp', ...safe } });
  });
});

describe('the name of a file', () => {
  test.for([
    ['leads out of a folder', '../../etc/passwd', 'passwd'],
    ['turns its direction', 'invoice\u202Egpj.exe', 'invoicegpj.exe'],
    ['ends the header', 'a"\r\nSet-Cookie: a=b\r\n\r\n<script>.txt', 'a_Set-Cookie_ a=b_script_.txt'],
    ['ends the parameter', "a'; filename=evil.exe;.txt", "a'; filename=evil.exe;.txt"],
    ['is a tag', '"><img src=x onerror=alert(1)>.png', '___img src=x onerror=alert(1)_.png'],
    ['is longer than a file system takes', `${'x'.repeat(1_000)}.pdf`, `${'x'.repeat(251)}.pdf`],
  ] as const)('that %s is cleaned, and stays in its one header', async ([, given, clean]) => {
    const { url, ...shown } = await upload(Buffer.from('x'), given);
    expect(shown).toMatchObject({ name: clean });
    const { status, headers } = await get(url);
    expect(status).toBe(200);
    const [, encoded = ''] =
      /^attachment; filename\*=UTF-8''([\w.~%-]+)$/.exec(String(headers['content-disposition'])) ?? [];
    expect(decodeURIComponent(encoded)).toBe(clean);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test.for([
    ['of 10 kB', 'x'.repeat(10_000)],
    ['that ends early', 'a.html%00.png'],
    ['given twice', 'a.png&name=b.html'],
  ] as const)('%s is refused in words, and nothing is stored', async ([, name]) => {
    const answer = await api.request('POST', `/v1/media?name=${name}`, { key: account.apiKey, body: Buffer.from('x') });
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ path: 'name' }] } } });
    expect((await api.db`select from media where account_id = ${account.accountId}`).count).toBe(0);
  });
});

describe('the url of an image in a message', () => {
  const visit = async () => {
    const visitor = aVisitor(api, await aWebchat(api, account));
    await visitor.say('Hello');
    const { conversation } = await visitor.read();
    const send = (image_url: string) =>
      api.request('POST', `/v1/conversations/${conversation?.id}/messages`, {
        key: account.apiKey,
        body: { text: 'Look', client_ref: image_url.slice(0, 255), image_url },
      });
    return { visitor, send };
  };

  test.for([
    'file:///etc/passwd',
    'data:text/html,<script>alert(1)</script>',
    'javascript:alert(1)',
    'blob:https://shop.example/1',
    'ftp://127.0.0.1/a.png',
    'gopher://127.0.0.1/',
    '//127.0.0.1/a.png',
  ])('%s is refused, and nothing is sent', async (url) => {
    const { visitor, send } = await visit();
    expect(await send(url)).toMatchObject({ status: 422, body: { error: { details: [{ path: 'image_url' }] } } });
    expect((await visitor.read()).messages).toHaveLength(1);
  });

  test('is opened by nobody here: an address of this machine gets no request', async () => {
    const inside = await startReceiver();
    onTestFinished(() => inside.close());
    const { visitor, send } = await visit();
    const url = inside.url('/a.png');
    expect(await send(url)).toMatchObject({ status: 201 });
    expect((await visitor.read()).messages).toMatchObject([{ text: 'Hello' }, { image_url: url }]);
    expect(inside.connectionCount).toBe(0);
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
