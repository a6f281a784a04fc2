import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { verifyWebhook } from '../../packages/verify/src/index.ts';
import { envelopeBody } from '../../src/shared/events/schema.ts';
import { eventNames, type EventName, type Variant } from '../../src/shared/facts/names.ts';
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

const variants = ['api', 'dashboard'] as const;
const signed = z.object({ envelope: z.record(z.string(), z.unknown()) });

const send = (method: string, path: string, body: object) =>
  live.api.request<{ id: string }>(method, path, { key: live.key, body });

/** A webhook of each variant at the receiver, at a path of the test's own. */
const subscribe = async (path: string, events: EventName[]): Promise<void> => {
  for (const variant of variants)
    await live.world.aWebhook({ url: receiver.url(`${path}/${variant}`), variant, events });
};

/** What came at that path, verified by the package for receivers, and checked against the documented bodies. */
const read = async (path: string, count: number) => {
  const { accountId, db, secrets } = live.world;
  const ours = () => receiver.requests.filter((request) => request.path.startsWith(`${path}/`));
  await expect.poll(() => ours().length, { timeout: 60_000 }).toBe(count);
  const secretOf: Record<Variant, string> = {
    api: 'a-secret',
    dashboard: await getWebhookSecret({ sql: db, secrets }, accountId),
  };
  return ours().map(({ path: at, headers, rawBody: body }) => {
    const variant = at.endsWith('/api') ? 'api' : 'dashboard';
    const webhook = verifyWebhook({ headers, body, secrets: secretOf[variant] });
    expect(webhook.type).toBe(variant);
    const { envelope } = signed.parse(webhook);
    const name = z.enum(eventNames).parse(envelope['event']);
    expect(envelopeBody(variant, name).parse(envelope)).toEqual(envelope);
    return { variant, name, told: envelope['data'] ?? envelope };
  });
};

const ofOrder = z.object({
  contact_id: z.string(),
  order: z.object({ id: z.string(), status: z.string(), from: z.string().optional() }),
});
const changes = ['placed paid', 'paid shipped'];

test('what becomes of an order arrives signed at webhooks of both variants, with the documented bodies, each event once', async () => {
  await subscribe('/orders', ['order_placed', 'order_status_changed']);
  const sent = anOrder(showId('contact', live.world.contactId));
  const { body: order } = await send('POST', '/v1/orders', sent);
  await send('POST', '/v1/orders', sent);
  await send('POST', '/v1/orders', { ...sent, status: 'paid' });
  await send('PATCH', `/v1/orders/${order.id}`, { status: 'paid' });
  await send('PATCH', `/v1/orders/${order.id}`, { status: 'shipped' });

  const got = (await read('/orders', 6)).map(({ variant, name, told }) => {
    const { contact_id, order } = ofOrder.parse(told);
    expect(contact_id).toBe(sent.contact_id);
    return `${variant} ${name} ${order.id} ${order.from ?? ''} ${order.status}`;
  });
  const inEach = [
    `order_placed ${order.id}  placed`,
    ...changes.map((change) => `order_status_changed ${order.id} ${change}`),
  ];
  expect(got.toSorted()).toEqual(variants.flatMap((variant) => inEach.map((line) => `${variant} ${line}`)).toSorted());
});

test('a handover arrives signed at webhooks of both variants, with the documented body, once however often it is requested', async () => {
  await subscribe('/handovers', ['handover_requested']);
  const contact_id = showId('contact', live.world.contactId);
  const { body: handover } = await send('POST', '/v1/handovers', { contact_id, reason: 'Is angry.' });
  await send('POST', '/v1/handovers', { contact_id, reason: 'Still is.' });
  await send('POST', `/v1/handovers/${handover.id}/resolve`, { outcome: 'Calm.' });
  const { body: second } = await send('POST', '/v1/handovers', { contact_id, reason: 'Again.' });

  const got = await read('/handovers', 4);
  const told = (id: string, reason: string) => ({
    contact_id,
    handover: { id, reason, requested_by: 'api', conversation_id: null, created_at: expect.stringMatching(/Z$/) },
  });
  for (const variant of variants) {
    const ofVariant = got.filter((each) => each.variant === variant).map((each) => each.told);
    expect(ofVariant).toHaveLength(2);
    for (const each of [told(handover.id, 'Is angry.'), told(second.id, 'Again.')])
      expect(ofVariant).toContainEqual(expect.objectContaining(each));
  }
});
