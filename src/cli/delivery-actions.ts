import { cancelDelivery, retryDelivery, tellCancelled } from '../shared/deliveries/actions.ts';
import { showDelivery } from '../shared/deliveries/schema.ts';
import { showId } from '../shared/ids.ts';
import type { Answer } from './answer.ts';
import type { RowInput } from './row-commands.ts';
import { withTemporal } from './temporal.ts';
import { workflowUrlOf } from './workflow-url.ts';
import { leaveToSweep } from './leave-to-sweep.ts';

/** Asks for an extra attempt of a sleeping delivery. Fails in plain words while Temporal is away. */
export const askRetry = async ({ env, config, db, scope, id }: RowInput): Promise<Answer> => {
  const delivery = await withTemporal(env, config, (client) =>
    retryDelivery({ db, temporal: () => client }, scope, id),
  );
  const text = `${showId('delivery', id)} makes an extra attempt now. deliveries show has its result.`;
  return { document: showDelivery(delivery, await workflowUrlOf(config)), text };
};

/** Ends a delivery unsent, whether or not Temporal answers. */
export const askCancel = async ({ env, config, db, scope, id }: RowInput): Promise<Answer> => {
  const delivery = await leaveToSweep(db, (tx) => cancelDelivery(tx, scope, id));
  await withTemporal(env, config, (client) => tellCancelled(client, delivery));
  // A delivery that was delivered before stays so: only its replay is cancelled.
  const text = delivery.status === 'cancelled' ? 'is cancelled' : `stays ${delivery.status}; its replay is cancelled`;
  const document = showDelivery(delivery, await workflowUrlOf(config));
  return { document, text: `${showId('delivery', id)} ${text}.` };
};
