import { expect, test } from 'vitest';
import { showId } from '../../../../src/shared/ids.ts';
import { useApi } from '../../../helpers/api.ts';
import { anInboundMessage } from '../../../helpers/builders.ts';
import { aColleague } from '../../../helpers/states/accounts.ts';

type Outcome = { outcome: string; error?: { code: string } };

const api = await useApi();

test('if_assigned_to refuses conversations of someone else, and assigns the others', async () => {
  const shop = await api.createAccount();
  const call = async <Body>(method: string, path: string, body?: object) =>
    api.request<Body>(method, `/v1${path}`, { key: shop.apiKey, ...(body && { body }) });
  const channel = await call<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' });
  for (const name of ['ada', 'grace'])
    await call(
      'POST',
      `/channels/${channel.body.id}/inbound`,
      anInboundMessage({ sender: { external_id: name, first_name: name } }),
    );
  const list = async () =>
    (await call<{ data: { id: string; assigned_to: string | null }[] }>('GET', '/conversations')).body.data;
  const ids = (await list()).map(({ id }) => id);
  const me = showId('user', shop.userId);
  const other = showId('user', await aColleague(api.db, shop.accountId, 'agent'));
  const assign = async (assigned_to: string | null, if_assigned_to: string | null) => {
    const body = { ids, assigned_to, if_assigned_to };
    const answer = await call<{ data: Outcome[] }>('POST', '/bulk/conversations/assign', body);
    return answer.body.data.map(({ outcome, error }) => error?.code ?? outcome);
  };
  await call('PATCH', `/conversations/${ids[0]}`, { assigned_to: other });
  expect(await assign(me, null)).toEqual(['conflict', 'done']);
  expect(await assign(null, me)).toEqual(['conflict', 'done']);
  expect(await assign(other, null)).toEqual(['unchanged', 'done']);
  const one = (if_assigned_to: string | null) =>
    call('PATCH', `/conversations/${ids[0]}`, { assigned_to: me, if_assigned_to });
  expect(await one(null)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect((await list()).map(({ assigned_to: to }) => to)).toEqual([other, other]);
  expect(await one(other)).toMatchObject({ status: 200, body: { assigned_to: me } });
});
