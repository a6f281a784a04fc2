import type { CreatedAccount } from '../../../../src/shared/accounts/create-account.ts';
import { showId } from '../../../../src/shared/ids.ts';
import type { TestApi } from '../../../helpers/api.ts';
import type { FlowWorld } from '../../../helpers/flow-world.ts';
import { deliveriesOf } from '../../../helpers/items.ts';
import type { Receiver } from '../../../helpers/receiver.ts';
import type { Wording } from './wording.ts';

/** What an account is furnished with, and by. */
export type Setting = {
  world: FlowWorld;
  api: TestApi;
  account: CreatedAccount & { session: string };
  /** Stands for webhooks, channels and the shop that flows ask. */
  receiver: Receiver;
  say: Wording;
};

/** Calls `/v1` as the account; throws what is refused. */
export const call = async <Body = { id: string }>(
  { api, account }: Setting,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> => answered(await api.request<Body>(method, `/v1${path}`, { key: account.apiKey, ...given(body) }));

/** The same as the owner in the dashboard. */
export const callAsOwner = async <Body = { id: string }>(
  { api, account }: Setting,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> =>
  answered(await api.request<Body>(method, `/dashboard/api${path}`, { session: account.session, ...given(body) }));

const given = (body: unknown) => (body === undefined ? {} : { body });

const answered = <Body>({ status, body, text }: { status: number; body: Body; text: string }): Body => {
  if (status >= 300) throw new Error(`refused with ${status}: ${text}`);
  return body;
};

/** The deliveries, UUIDs, that this work has brought to a webhook, a UUID. */
export const broughtTo = async (
  { world }: Setting,
  webhookId: string,
  work: () => Promise<unknown>,
): Promise<string[]> => {
  const before = world.dispatched.length;
  await work();
  return deliveriesOf(world.dispatched.slice(before))
    .filter((row) => row.webhookId === webhookId)
    .map(({ id }) => id);
};

/** Makes attempts of a delivery's ladder, as its workflow would. */
export const attempt = async (
  { world }: Setting,
  deliveryId: string,
  { from = 1, to = from, round = 1 }: { from?: number; to?: number; round?: number } = {},
): Promise<void> => {
  const key = { deliveryId: showId('delivery', deliveryId), round, kind: 'scheduled' } as const;
  for (let number = from; number <= to; number += 1) await world.attempt({ ...key, number });
};
