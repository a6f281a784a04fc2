import { showId } from '../../../../src/shared/ids.ts';
import { insertWebhook } from '../../../helpers/accounts.ts';
import { anUnverifiedWebhook } from '../../../helpers/states/webhooks.ts';
import { attempt, broughtTo, call, callAsOwner, type Setting } from './setting.ts';

/** Where the endpoints are, below the receiver: the first answers 200, the others do not. */
export const paths = { well: '/hooks/well', failing: '/hooks/failing', gone: '/hooks/gone' } as const;

/** Webhooks of both variants; one is disabled, with deliveries parked for it, and one is not verified. UUIDs. */
export const furnishWebhooks = async ({ world, account: { accountId }, receiver, say }: Setting) => {
  const at = (path: string) => `${receiver.url(path)}?for=${say('us')}`;
  return {
    well: await insertWebhook(world, { accountId, url: at(paths.well) }),
    failing: await insertWebhook(world, {
      accountId,
      url: at(paths.failing),
      variant: 'dashboard',
      events: ['new_message'],
    }),
    gone: await insertWebhook(world, { accountId, url: at(paths.gone), events: ['new_contact', 'order_placed'] }),
    unverified: await anUnverifiedWebhook(world.db, accountId, at('/hooks/new')),
  };
};

/** Their UUIDs, by what their endpoints are like. */
export type Webhooks = Awaited<ReturnType<typeof furnishWebhooks>>;

/** Disables the webhook that is gone: the six attempts of one delivery fail. What comes for it later is parked. Answers the delivery. */
export const disableGone = async (setting: Setting, { gone }: Webhooks): Promise<string> => {
  const first_name = setting.say('Lost');
  const [lost = ''] = await broughtTo(setting, gone, () => call(setting, 'POST', '/contacts', { first_name }));
  await attempt(setting, lost, { to: 6 });
  const deliveryId = showId('delivery', lost);
  await setting.world.activities.disableWebhook({ deliveryId, round: 1 });
  await call(setting, 'POST', '/contacts', { first_name: setting.say('Parked') });
  return deliveryId;
};

/** Deliveries in every state, of messages that `write` hands in, and replays in bulk. Answers ids as the API shows them. */
export const furnishDeliveries = async (
  setting: Setting,
  { well, failing }: Webhooks,
  write: () => Promise<unknown>,
) => {
  const one = async (webhookId: string): Promise<string> => (await broughtTo(setting, webhookId, write))[0] ?? '';
  const [dropped, retrying, cancelled] = [await one(failing), await one(failing), await one(failing)];
  await attempt(setting, dropped, { to: 6 });
  await setting.world.activities.dropDelivery({ deliveryId: showId('delivery', dropped), round: 1 });
  await attempt(setting, retrying, { to: 2 });
  await attempt(setting, cancelled);
  await callAsOwner(setting, 'POST', `/deliveries/${showId('delivery', cancelled)}/cancel`);
  const delivered = await one(well);
  await attempt(setting, delivered);
  await call(setting, 'POST', `/deliveries/${showId('delivery', delivered)}/replay`);
  await attempt(setting, delivered, { round: 2 });

  const webhook_id = showId('webhook', failing);
  const replay = await callAsOwner(setting, 'POST', '/replays', { webhook_id, status: ['dropped'], pace: 1 });
  await callAsOwner(setting, 'POST', `/replays/${replay.id}/pause`);
  const stopped = await callAsOwner(setting, 'POST', '/replays', { status: ['cancelled'], pace: 1 });
  await callAsOwner(setting, 'POST', `/replays/${stopped.id}/cancel`);
  return {
    deliveries: [dropped, retrying, delivered].map((id) => showId('delivery', id)),
    replays: [replay.id],
  };
};
