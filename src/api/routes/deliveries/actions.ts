import { cancelDelivery, retryDelivery, tellCancelled } from '../../../shared/deliveries/actions.ts';
import { deliveryBody, showDelivery } from '../../../shared/deliveries/schema.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

/** What can be done with a delivery that is not finished: retry now, and cancel. */
export const addDeliveryActions = (deliveries: Resource, deps: ApiDeps): void => {
  endpoint(
    deliveries,
    {
      id: 'retryDelivery',
      method: 'post',
      path: '/deliveries/:id/retry',
      summary: 'Make an extra attempt now',
      description:
        'For a delivery that waits for its next attempt. Success ends it. Failure leaves the other attempts and their times as they are. 503 while its workflow cannot be reached.',
      role: 'editor',
      noun: 'delivery',
      idempotent: true,
      answers: { 202: deliveryBody },
      refusals: {
        409: 'When it does not wait, or after twenty in its round.',
      },
    },
    {
      // Before the key is taken: what could not be asked must not be answered again as done.
      prepare: ({ scope, id }) => retryDelivery(deps, scope, id),
      handle: async ({ prepared: delivery }) => showDelivery(delivery, deps.workflowUrl),
    },
  );
  endpoint(
    deliveries,
    {
      id: 'cancelDelivery',
      method: 'post',
      path: '/deliveries/:id/cancel',
      summary: 'Cancel a delivery',
      description:
        'For a pending, retrying or parked delivery, at once. If its POST is in progress and succeeds, it ends as delivered.',
      role: 'editor',
      noun: 'delivery',
      idempotent: true,
      answers: { 202: deliveryBody },
      refusals: { 409: 'When it has ended otherwise.' },
    },
    async ({ tx, afterCommit, scope, id }) => {
      const delivery = await cancelDelivery(tx, scope, id);
      afterCommit(async () => {
        deps.metrics.ended(delivery);
        await tellCancelled(deps.temporal(), delivery);
      });
      return showDelivery(delivery, deps.workflowUrl);
    },
  );
};
