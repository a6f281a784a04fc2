import { z } from 'zod';
import { deliveryBody, showDelivery } from '../../../shared/deliveries/schema.ts';
import { eventNames } from '../../../shared/facts/names.ts';
import { getWebhook } from '../../../shared/webhooks/manage.ts';
import { createTestDelivery } from '../../../shared/deliveries/test-event.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

const testEvent = z
  .strictObject({
    event: z
      .enum(eventNames, { error: `must be one of ${eventNames.join(', ')}` })
      .optional()
      .meta({ description: "The webhook's first subscribed event when not given, new_message for *." }),
  })
  .prefault({})
  .meta({ id: 'TestEvent', example: { event: 'new_message' } });

/** A test event: one attempt with sample data, for whoever sets up an endpoint. */
export const addTestEvents = (webhooks: Resource, { workflowUrl }: ApiDeps): void =>
  endpoint(
    webhooks,
    {
      id: 'sendTestEvent',
      method: 'post',
      path: '/webhooks/:id/test',
      summary: 'Send a test event',
      description:
        'One attempt with sample data, signed as every other, marked as a test and not counted. Read the delivery to see its outcome.',
      role: 'editor',
      noun: 'webhook',
      idempotent: true,
      body: testEvent,
      answers: { 202: deliveryBody },
      refusals: { 403: 'The plan has no webhooks: `plan_required`.', 409: 'When the webhook is disabled.' },
    },
    async ({ tx, scope, id, body: { event } }) => {
      const webhook = await getWebhook(tx.sql, scope, id);
      return showDelivery(await createTestDelivery(tx, webhook, event), workflowUrl);
    },
  );
