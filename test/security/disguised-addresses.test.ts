import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { reportAttack } from './report.ts';

const api = await useApi({ egressAllow: '' });

const hosts = [
  ['127.0.0.1', '127.1', '0x7f.1', '0177.0.0.1', '2130706433', '0x7f000001', '127.0.0.1.', 'localhost', 'a.localhost'],
  ['10.0.0.5', '0xa.5', '172.16.0.1', '192.168.1.1', '100.64.0.1', '0.0.0.0', '0', '255.255.255.255', '224.0.0.1'],
  ['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '100.100.100.200'],
  ['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fd00::1]'],
  ['[fe80::1]', '[fd00:ec2::254]', '[::127.0.0.1]', '%31%32%37.0.0.1', '127。0。0。1', '①②⑦.0.0.1'],
].flat();

test('a url that leads to a private address in any spelling is refused, and nothing is stored', async () => {
  const { apiKey } = await api.createAccount();
  const taken: string[] = [];
  for (const host of hosts) {
    const body = { url: `https://${host}/hook`, events: ['*'], secret: 'a secret of my own choosing' };
    const { status } = await api.request('POST', '/v1/webhooks', { key: apiKey, body });
    if (status !== 422) taken.push(host);
  }
  expect(taken).toEqual([]);
  const stored = await api.db`select url from webhooks`;
  await reportAttack('disguisedAddresses', { tried: hosts.length, through: stored.length });
});

test('a callback url that leads to a private address in any spelling is refused, and nothing is stored', async () => {
  const { apiKey: key } = await api.createAccount();
  const channel = { type: 'api', name: 'Shop' };
  const { body: made } = await api.request<{ id: string }>('POST', '/v1/channels', { key, body: channel });
  const taken: string[] = [];
  for (const host of hosts) {
    const body = { callback_url: `https://${host}/hook` };
    const created = await api.request('POST', '/v1/channels', { key, body: { ...channel, ...body } });
    const changed = await api.request('PATCH', `/v1/channels/${made.id}`, { key, body });
    if (created.status !== 422 || changed.status !== 422) taken.push(host);
  }
  expect(taken).toEqual([]);
  const stored = await api.db`select callback_url from channels where callback_url is not null`;
  await reportAttack('disguisedCallbacks', { tried: 2 * hosts.length, through: stored.length });
});
