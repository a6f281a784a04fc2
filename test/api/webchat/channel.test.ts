import { beforeEach, describe, expect, test } from 'vitest';
import { readId } from '../../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { aVisitor, aWebchat } from '../../helpers/webchat/visitor.ts';

type Webchat = { id: string; type: 'webchat'; origins: string[]; secret?: string };
type Refused = { error: { code: string; details: { path: string; message: string }[] } };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = <Body>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, path, { key: account.apiKey, body });
const create = <Body = Webchat>(fields: object = {}) =>
  as<Body>('POST', '/v1/channels', { type: 'webchat', name: 'Shop', ...fields });
const change = <Body = Webchat>({ id }: Webchat, fields: object) => as<Body>('PATCH', `/v1/channels/${id}`, fields);

const hours = { time_zone: 'Europe/Berlin', windows: [{}] };

const all = {
  origins: ['https://shop.example', 'http://localhost:3000'],
  title: 'Help',
  greeting: 'Hello!',
  color: '#123abc',
  position: 'left',
  texts: { placeholder: 'Write to us' },
  office_hours: { time_zone: 'Europe/Berlin', windows: [{ days: ['monday'], from: '09:00', to: '17:00' }] },
  require_identity: true,
  mail_after_minutes: 10,
};

describe('a channel of type webchat', () => {
  test('is created with a name alone, and shows its identity secret in that answer only', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const { secret, ...shown } = body;
    expect(secret).toMatch(/^whsec_/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^chn_/),
      type: 'webchat',
      name: 'Shop',
      origins: [],
      title: null,
      greeting: null,
      color: '#0b7285',
      position: 'right',
      texts: {},
      office_hours: null,
      require_identity: false,
      mail_after_minutes: null,
      created_at: expect.any(String),
    });
    expect((await as('GET', `/v1/channels/${body.id}`)).body).toEqual(shown);
    const [row] = await api.db`select * from channels where id = ${readId('channel', body.id)}`;
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  test('has what it is given, and keeps of it what a change does not name', async () => {
    const { body: made } = await create(all);
    expect(made).toMatchObject(all);
    const changed = await change(made, { title: null, origins: ['https://other.example'] });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ ...all, title: null, origins: ['https://other.example'] });
    expect(changed.body.secret).toBeUndefined();
  });

  test('replaces all texts by a change of them, and by no other one', async () => {
    const { body: made } = await create({ texts: { send: ' Senden ', placeholder: 'Schreib uns …', language: 'de' } });
    expect(made).toMatchObject({ texts: { send: 'Senden', placeholder: 'Schreib uns …', language: 'de' } });
    expect((await change(made, { title: 'Hilfe' })).body).toMatchObject({ texts: { send: 'Senden' } });
    expect((await change(made, { texts: { send: 'Los' } })).body).toHaveProperty('texts', { send: 'Los' });
  });

  test('takes an origin with a slash at its end, and stores it as browsers tell it', async () => {
    const { body } = await create({ origins: ['HTTPS://Shop.Example:443/', 'http://127.0.0.1:8081/'] });
    expect(body.origins).toEqual(['https://shop.example', 'http://127.0.0.1:8081']);
  });

  test.for([
    ['an origin of plain http', { origins: ['http://shop.example'] }, 'origins.0'],
    ['a whole url', { origins: ['https://shop.example/pages'] }, 'origins.0'],
    ['a name and password', { origins: ['https://a:b@shop.example'] }, 'origins.0'],
    ['no url', { origins: ['shop.example'] }, 'origins.0'],
    ['any origin', { origins: ['*'] }, 'origins.0'],
    ['another scheme', { origins: ['javascript://shop.example'] }, 'origins.0'],
    ['21 origins', { origins: Array.from({ length: 21 }, (_, nth) => `https://${nth}.example`) }, 'origins'],
    ['a color by name', { color: 'red' }, 'color'],
    ['a color of other letters', { color: '#12345z' }, 'color'],
    ['a corner that is none', { position: 'top' }, 'position'],
    ['a text of a name that is none', { texts: { headline: 'x' } }, 'texts.headline'],
    ['a text of no characters', { texts: { send: ' ' } }, 'texts.send'],
    ['a label of 61 characters', { texts: { send: 'x'.repeat(61) } }, 'texts.send'],
    ['a sentence of 201 characters', { texts: { offline: 'x'.repeat(201) } }, 'texts.offline'],
    ['a language that is no tag', { texts: { language: 'german!' } }, 'texts.language'],
    ['hours in no time zone', { office_hours: { ...hours, time_zone: '+02:00' } }, 'office_hours.time_zone'],
    ['hours of no window', { office_hours: { ...hours, windows: [] } }, 'office_hours.windows'],
    [
      'a time that no clock shows',
      { office_hours: { ...hours, windows: [{ from: '24:00' }] } },
      'office_hours.windows.0.from',
    ],
    ['a day of no week', { office_hours: { ...hours, windows: [{ days: ['mon'] }] } }, 'office_hours.windows.0.days.0'],
    ['a secret of its own', { secret: 'mine' }, 'secret'],
    ['a field of another type', { callback_url: 'https://example.com/' }, 'callback_url'],
  ] as const)('with %s is refused in words with 422, and nothing is written', async ([, fields, path]) => {
    const { status, body } = await create<Refused>(fields);
    expect(status).toBe(422);
    expect(body.error.details).toMatchObject([{ path, message: expect.any(String) }]);
    expect(await api.db`select from channels where account_id = ${account.accountId}`).toHaveLength(0);
  });

  test('rotates its identity secret, and keeps everything else', async () => {
    const { body: made } = await create(all);
    const rotated = await as<{ secret: string }>('POST', `/v1/channels/${made.id}/rotate-secret`);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(made.secret);
    expect((await as('GET', `/v1/channels/${made.id}`)).body).toMatchObject(all);
  });

  test('sends what is queued with its commit, and needs no workflow', async () => {
    const channel = await aWebchat(api, account);
    expect((await aVisitor(api, channel).say('Hello?')).status).toBe(201);
    const { body: contacts } = await as<{ data: { id: string }[] }>('GET', '/v1/contacts');
    const before = api.dispatched.length;
    const sent = await as('POST', `/v1/contacts/${contacts.data[0]?.id}/messages`, {
      text: 'Hello',
      channel_id: channel.id,
    });
    expect(sent).toMatchObject({ status: 201, body: { status: 'sent', sent_at: expect.any(String) } });
    expect(api.dispatched).toHaveLength(before);
  });
});
