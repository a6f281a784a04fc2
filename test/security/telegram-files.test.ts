import { describe, expect, test } from 'vitest';
import { createCallBot } from '../../src/shared/messages/channels/telegram/bot-api.ts';
import { createFetchFile } from '../../src/shared/messages/channels/telegram/fetch-file.ts';
import type { Egress } from '../../src/shared/platform/egress/client.ts';
import { newUuid } from '../../src/shared/ids.ts';
import type { Answer, Receiver } from '../helpers/receiver.ts';
import { aReceiver, anEgress, namesAt, post } from '../shared/platform/egress/builders.ts';
import { reportAttack } from './report.ts';

// Where the download of a file that a contact has sent over Telegram leads: to TELEGRAM_API_URL, which the operator has set, and nowhere else.

const token = `123456789:${'a'.repeat(35)}`;
const channel = { id: newUuid(), accountId: newUuid(), config: { bot_token: token } };

const json = (result: unknown): Answer => ({ type: 'respond', body: JSON.stringify({ ok: true, result }) });

/** A Bot API that has one file, and answers its download in this way. */
const aBotApi = (download: Answer, file_path: unknown = 'photos/cat.jpg', options: { host?: string } = {}) =>
  aReceiver({
    certificateFor: ['127.0.0.1', '127.0.0.2', 'bot-api.example'],
    respond: ({ path }) => (path.endsWith('/getFile') ? json({ file_id: 'cat', file_path }) : download),
    ...options,
  });

const fetchFrom = (apiUrl: string, egress: Egress) =>
  createFetchFile(createCallBot({ apiUrl }), { apiUrl })({ egress }, channel, { ref: 'cat', bytesAtMost: 1_000 });

const originOf = (server: Receiver, host?: string): string => new URL(server.url('/', host)).origin;

const cat: Answer = { type: 'respond', body: 'a cat' };

test('no redirect of a download is followed, wherever it leads', async () => {
  const inside = await aReceiver({ respond: { type: 'respond', body: 'inside' } });
  const plain = await aReceiver({ plain: true, respond: { type: 'respond', body: 'inside' } });
  const places = [
    inside.url('/secret'),
    inside.url('/secret', 'localhost'),
    inside.url('/secret', '[::ffff:127.0.0.1]'),
    inside.url('/secret', '2130706433'),
    plain.url('/secret'),
    `//127.0.0.1:${inside.port}/secret`,
    'https://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    `/bot${token}/getMe`,
    `/file/bot${token}/other`,
  ];
  const wrong: string[] = [];
  for (const location of places)
    for (const status of [300, 301, 302, 303, 305, 307, 308]) {
      const api = await aBotApi({ type: 'respond', status, headers: { location }, body: 'inside' });
      const fetched = await fetchFrom(originOf(api), anEgress());
      if (fetched.type !== 'gone' || api.requests.length !== 2) wrong.push(`${status} to ${location}: ${fetched.type}`);
    }
  expect(wrong).toEqual([]);
  await reportAttack('redirectedTelegramFiles', {
    tried: places.length * 7,
    through: inside.connectionCount + plain.connectionCount,
  });
});

test('no path of a file leads to another host, out of its folder, or to a method of the bot', async () => {
  const inside = await aReceiver();
  const at = `127.0.0.1:${inside.port}`;
  const paths = [
    inside.url('/secret'),
    `//${at}/secret`,
    `@${at}/secret`,
    `/../../@${at}/`,
    `..//${at}/`,
    `../../bot${token}/getMe`,
    'a/../../getMe',
    '..%2f..%2fgetMe',
    '%2e%2e/getMe',
    'a\\..\\..\\getMe',
    'a?b',
    'a#b',
    'a b',
    'a\r\nHost: inside',
    '',
    '/etc/passwd',
    `.${at}`,
    7,
    null,
    ['photos/cat.jpg'],
    'x'.repeat(501),
  ];
  const wrong: string[] = [];
  for (const path of paths) {
    const api = await aBotApi(cat, path);
    const fetched = await fetchFrom(originOf(api), anEgress());
    if (fetched.type !== 'gone' || api.requests.length !== 1) wrong.push(`${JSON.stringify(path)}: ${fetched.type}`);
  }
  expect(wrong).toEqual([]);
  await reportAttack('pathsOfTelegramFiles', { tried: paths.length, through: inside.connectionCount });
});

describe('a name that leads to a private address', () => {
  test('is where the Bot API of the operator may be, and files come from', async () => {
    const api = await aBotApi(cat);
    const lookup = namesAt('127.0.0.1');
    const fetched = await fetchFrom(originOf(api, 'bot-api.example'), anEgress({ lookup }));
    expect(fetched).toEqual({ type: 'fetched', bytes: new Uint8Array(Buffer.from('a cat')) });
  });

  test('stays closed to what users name, also while a connection of the operator is open to it', async () => {
    const api = await aBotApi(cat);
    const egress = anEgress({ lookup: namesAt('127.0.0.1') });
    for (const host of ['bot-api.example', '127.0.0.1']) {
      const origin = originOf(api, host);
      expect(await fetchFrom(origin, egress)).toMatchObject({ type: 'fetched' });
      const before = api.requests.length;
      expect(await post(egress, `${origin}/file/bot${token}/photos/cat.jpg`)).toMatchObject({
        type: 'failed',
        reason: 'refused_address',
      });
      expect(api.requests).toHaveLength(before);
    }
  });

  test('gets no file of a Bot API whose certificate it does not have', async () => {
    // A forged answer of a name server: another machine inside, with a certificate of its own name.
    const inside = await aReceiver({ host: '127.0.0.2', certificateFor: ['inside.example'], respond: cat });
    const fetched = await fetchFrom(originOf(inside, 'bot-api.example'), anEgress({ lookup: namesAt('127.0.0.2') }));
    expect(fetched).toEqual({ type: 'later' });
    expect(inside.requests).toEqual([]);
  });

  test('gets no token of a bot where the name has moved to another server between two downloads', async () => {
    const api = await aBotApi(cat);
    const elsewhere = await aReceiver({ host: '127.0.0.2', port: api.port, certificateFor: ['inside.example'] });
    let asked = 0;
    const lookup = async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    const egress = anEgress({ lookup });
    expect(await fetchFrom(originOf(api, 'bot-api.example'), egress)).toMatchObject({ type: 'fetched' });
    api.dropConnections();
    expect(await fetchFrom(originOf(api, 'bot-api.example'), egress)).toEqual({ type: 'later' });
    expect(elsewhere.requests).toEqual([]);
  });
});
