import { createResource, type Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { addDeliveryActions } from './actions.ts';
import { addAttempts } from './attempts.ts';
import { addBulkOfDeliveries } from './bulk.ts';
import { addDeliveryLog } from './log.ts';

/** Deliveries: /v1 has those to webhooks of variant A, the dashboard those to both. */
export const deliveryRoutes = (deps: ApiDeps): Resource => {
  const deliveries = createResource(deps, {
    tag: { name: 'Deliveries', description: 'The delivery log: each event to each webhook, with every attempt.' },
    doors: ['v1', 'dashboard'],
  });
  addDeliveryLog(deliveries, deps);
  addAttempts(deliveries, deps);
  addDeliveryActions(deliveries, deps);
  addBulkOfDeliveries(deliveries, deps);
  return deliveries;
};
