import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { useApi, type TestAccount } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';

const api = await useApi();

const waitingOf = async ({ session }: TestAccount) => {
  const { status, body } = await api.request('GET', '/dashboard/api/overview/waiting', { session });
  expect(status).toBe(200);
  return body;
};

const counted = (unread: number, handovers: number) => ({
  unread_conversations: { count: unread, more: false },
  waiting_handovers: { count: handovers, more: false },
});

type Conversations = { data: { id: string }[] };

const conversationsOf = async ({ apiKey: key }: TestAccount): Promise<string[]> =>
  (await api.request<Conversations>('GET', '/v1/conversations', { key })).body.data.map(({ id }) => id);

test('a conversation is unread until it is read or closed, and again with the next message', async () => {
  const [account, stranger] = [await api.createAccount(), await api.createAccount()];
  const { apiKey: key } = account;
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const write = (from: string) =>
    api.request('POST', `/v1/channels/${channel.body.id}/inbound`, {
      key,
      body: anInboundMessage({ sender: { external_id: from } }),
    });
  for (const from of ['ada', 'ada', 'grace']) expect((await write(from)).status).toBeLessThan(300);
  expect(await waitingOf(account)).toEqual(counted(2, 0));
  expect(await waitingOf(stranger)).toEqual(counted(0, 0));
  const [newest, other] = await conversationsOf(account);
  await api.request('POST', `/v1/conversations/${newest}/read`, { key });
  expect(await waitingOf(account)).toEqual(counted(1, 0));
  await api.request('POST', `/v1/conversations/${other}/close`, { key });
  expect(await waitingOf(account)).toEqual(counted(0, 0));
  await write('grace');
  expect(await waitingOf(account)).toEqual(counted(1, 0));
});

test('a handover is counted until somebody takes it, and many are told as 99 or more', async () => {
  const account = await api.createAccount();
  const { apiKey: key, userId } = account;
  const request = async (): Promise<string> => {
    const contact = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: { first_name: 'Ada' } });
    const body = { contact_id: contact.body.id, reason: 'Help' };
    return (await api.request<{ id: string }>('POST', '/v1/handovers', { key, body })).body.id;
  };
  const handover = await request();
  expect(await waitingOf(account)).toEqual(counted(0, 1));
  const body = { assigned_to: showId('user', userId) };
  expect((await api.request('PATCH', `/v1/handovers/${handover}`, { key, body })).status).toBe(200);
  expect(await waitingOf(account)).toEqual(counted(0, 0));
  for (let made = 0; made < 99; made += 1) await request();
  expect(await waitingOf(account)).toEqual(counted(0, 99));
  await request();
  expect(await waitingOf(account)).toMatchObject({ waiting_handovers: { count: 99, more: true } });
});
