import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

const api = await useApi();

const misread = [
  'https:\\\\93.184.216.34\\x',
  'https://93.184.216.34\\@10.0.0.5/',
  'https:93.184.216.34/hook',
  'https:/93.184.216.34/hook',
  'https:///93.184.216.34/hook',
  'https://@93.184.216.34/hook',
  'https://1572395042/hook',
  'https://0x5db8d822/hook',
  'https://0135.0270.0330.042/hook',
  'https://93.12113954/hook',
  'https://９３.184.216.34/hook',
  'https://93。184。216。34/hook',
  'https://%39%33.184.216.34/hook',
  'https://93.184.216.34/\u202Ekooh',
  'https://93.184.216.34/ho\u200Bok',
  'https://93.184.216.34/ho\u00ADok',
  'https://93.184.216.34/ho\u{E0041}ok',
  'https://93.184.216.34/ho\tok',
  ' https://93.184.216.34/hook',
];

test('a url that leads elsewhere than a reader thinks is refused, all others are kept exactly as typed', async () => {
  const { apiKey, session } = await api.createAccount();
  const register = (url: string) =>
    api.request<{ id: string; url: string }>('POST', '/v1/webhooks', {
      key: apiKey,
      body: { url, events: ['*'], secret: 'own' },
    });
  const taken: string[] = [];
  for (const url of misread) {
    if ((await register(url)).status !== 422) taken.push(url);
    const saved = await api.request('POST', '/dashboard/api/webhooks', { session, body: { url, events: ['*'] } });
    if (saved.status !== 422) taken.push(url);
  }
  expect(taken).toEqual([]);
  const asTyped = 'HTTPS://93.184.216.34:443/A/../b//Käse?to=a@b.example&c=%7e';
  const { body } = await register(asTyped);
  expect(body.url).toBe(asTyped);
  const changed = await api.request('PATCH', `/v1/webhooks/${body.id}`, { key: apiKey, body: { url: misread[0] } });
  expect(changed.status).toBe(422);
  const stored = await api.db<{ url: string }[]>`select url from webhooks`;
  await reportAttack('misreadUrls', {
    tried: misread.length * 2 + 1,
    through: stored.filter(({ url }) => url !== asTyped).length,
  });
});
