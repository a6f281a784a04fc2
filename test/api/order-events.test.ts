import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { verifyWebhook } from '../../packages/verify/src/index.ts';
import { envelopeBody } from '../../src/shared/events/schema.ts';
import type { Variant } from '../../src/shared/events/names.ts';
import { showId } from '../../src/shared/ids.ts';
import { getWebhookSecret } from '../../src/shared/webhooks/account-secret.ts';
import { anOrder } from '../helpers/builders.ts';
import { startLiveApi, type LiveApi } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';

let live: LiveApi;
let receiver: Receiver;
beforeAll(async () => {
  [live, receiver] = await Promise.all([startLiveApi({ eager: false }), startReceiver()]);
});
afterAll(() => Promise.all([live.stop(), receiver.close()]));

const eventName = z.enum(['order_placed', 'order_status_changed']);
const signed = z.object({ envelope: z.record(z.string(), z.unknown()) });
const told = z.object({
  contact_id: z.string(),
  order: z.object({ id: z.string(), status: z.string(), from: z.string().optional() }),
});
const changes = ['placed paid', 'paid shipped'];

test('what becomes of an order arrives signed at webhooks of both variants, with the documented bodies, each event once', async () => {
  const { api, key, world } = live;
  const { accountId, contactId, secrets } = world;
  const secretOf: Record<Variant, string> = {
    api: 'a-secret',
    dashboard: await getWebhookSecret({ sql: world.db, secrets }, accountId),
  };
  const variants = ['api', 'dashboard'] as const;
  for (const variant of variants)
    await world.aWebhook({
      url: receiver.url(`/${variant}`),
      variant,
      events: ['order_placed', 'order_status_changed'],
    });

  const sent = anOrder(showId('contact', contactId));
  const send = (method: string, path: string, body: object) => api.request<{ id: string }>(method, path, { key, body });
  const { body: order } = await send('POST', '/v1/orders', sent);
  await send('POST', '/v1/orders', sent);
  await send('POST', '/v1/orders', { ...sent, status: 'paid' });
  await send('PATCH', `/v1/orders/${order.id}`, { status: 'paid' });
  await send('PATCH', `/v1/orders/${order.id}`, { status: 'shipped' });

  const requests = await receiver.waitFor(6, 60_000);
  const got = requests.map(({ path, headers, rawBody: body }) => {
    const variant = path === '/api' ? 'api' : 'dashboard';
    const webhook = verifyWebhook({ headers, body, secrets: secretOf[variant] });
    expect(webhook.type).toBe(variant);
    const { envelope } = signed.parse(webhook);
    const name = eventName.parse(envelope['event']);
    expect(envelopeBody(variant, name).parse(envelope)).toEqual(envelope);
    const { contact_id, order } = told.parse(envelope['data'] ?? envelope);
    expect(contact_id).toBe(sent.contact_id);
    return `${variant} ${name} ${order.id} ${order.from ?? ''} ${order.status}`;
  });
  const inEach = [
    `order_placed ${order.id}  placed`,
    ...changes.map((change) => `order_status_changed ${order.id} ${change}`),
  ];
  expect(got.toSorted()).toEqual(variants.flatMap((variant) => inEach.map((line) => `${variant} ${line}`)).toSorted());
});
