import { beforeEach, expect, test } from 'vitest';
import { usualHandoverHours } from '../../src/shared/accounts/handover-settings.ts';
import { expireHandovers } from '../../src/shared/handovers/end.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { letHandoversLapse } from '../helpers/states/handovers.ts';

type Handover = { id: string; status: string; assigned_to: string | null; expires_at: string };
type Conversation = { id: string; status: string; assigned_to: string | null };

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const as = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
  const asked = { session: account.session, ...(body !== undefined && { body }) };
  const answer = await api.request<Body>(method, `/dashboard/api${path}`, asked);
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body;
};

/** A conversation whose handover a user has taken, and whose time is over before anybody looks. */
const aLapsedOne = async () => {
  const { id: channelId } = await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' });
  const { message } = await as<{ message: { id: string } }>(
    'POST',
    `/channels/${channelId}/inbound`,
    anInboundMessage(),
  );
  const { conversation_id: id } = await as<{ conversation_id: string }>('GET', `/messages/${message.id}`);
  const handover = await as<Handover>('POST', '/handovers', { conversation_id: id, reason: 'Help' });
  await as('PATCH', `/handovers/${handover.id}`, { assigned_to: showId('user', account.userId) });
  await letHandoversLapse(api.db, account.accountId);
  return {
    handoverId: handover.id,
    id,
    snooze: (until: string | null) => as('POST', `/conversations/${id}/snooze`, { until }),
    reply: (next?: object) =>
      as('POST', `/conversations/${id}/messages`, { text: 'It ships today.', client_ref: newUuid(), next }),
  };
};

type Lapsed = Awaited<ReturnType<typeof aLapsedOne>>;

const usualMs = usualHandoverHours * 3_600_000;
const inTwoWeeks = new Date(Date.now() + 2 * usualMs).toISOString();

test.for<[string, (lapsed: Lapsed) => Promise<unknown>, string | undefined]>([
  ['an answer of its user', ({ reply }) => reply(), undefined],
  ['an answer that snoozes', ({ reply }) => reply({ snooze_until: inTwoWeeks }), inTwoWeeks],
  ['a snooze', ({ snooze }) => snooze(inTwoWeeks), inTwoWeeks],
  [
    'the end of a snooze by hand',
    async ({ snooze }) => {
      await snooze(inTwoWeeks);
      await snooze(null);
    },
    undefined,
  ],
])('a handover does not expire before its whole time after %s', async ([, act, from]) => {
  const before = Date.now();
  const lapsed = await aLapsedOne();
  await act(lapsed);
  await expireHandovers(api.deps);
  const handover = await as<Handover>('GET', `/handovers/${lapsed.handoverId}`);
  const me = showId('user', account.userId);
  expect(handover).toMatchObject({ status: 'open', assigned_to: me });
  expect(await as<Conversation>('GET', `/conversations/${lapsed.id}`)).toMatchObject({ assigned_to: me });
  const expiresAt = Date.parse(handover.expires_at);
  const [first, last] = from === undefined ? [before, Date.now()] : [Date.parse(from), Date.parse(from)];
  expect(expiresAt).toBeGreaterThanOrEqual(first + usualMs);
  expect(expiresAt).toBeLessThanOrEqual(last + usualMs);
});

test.for<[string, (lapsed: Lapsed) => Promise<unknown>]>([
  ['a note', ({ id }) => as('POST', `/conversations/${id}/notes`, { text: 'Asked again.' })],
  [
    'an answer by API key',
    ({ id }) =>
      api.request('POST', `/v1/conversations/${id}/messages`, {
        key: account.apiKey,
        body: { text: 'It ships today.', client_ref: newUuid() },
      }),
  ],
])('a handover whose time is over expires in spite of %s', async ([, act]) => {
  const lapsed = await aLapsedOne();
  await act(lapsed);
  await expireHandovers(api.deps);
  expect(await as<Handover>('GET', `/handovers/${lapsed.handoverId}`)).toMatchObject({ status: 'expired' });
  expect(await as<Conversation>('GET', `/conversations/${lapsed.id}`)).toMatchObject({ assigned_to: null });
});
