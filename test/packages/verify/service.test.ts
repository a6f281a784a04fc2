import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerChallenge } from '../../../packages/verify/src/index.ts';
import type { Variant } from '../../../src/shared/facts/names.ts';
import { showId } from '../../../src/shared/ids.ts';
import { sendChallenge } from '../../../src/shared/webhooks/challenge.ts';
import { createEgress } from '../../../src/shared/platform/egress/client.ts';
import { parseEgressAllow } from '../../../src/shared/platform/egress/addresses.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, type Answer, type ReceivedRequest, type Receiver } from '../../helpers/receiver.ts';
import { testCa } from '../../helpers/tls.ts';
import { entries, secret } from './requests.ts';
import { retireWebhooks } from '../../helpers/states/webhooks.ts';

let world: DeliveryWorld;
let receiver: Receiver;

beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld(), startReceiver()]);
});

afterAll(() => Promise.all([world.stop(), receiver.close()]));

const accountSecret = async (): Promise<string> => {
  const [row] = await world.db<{ webhookSecret: Uint8Array }[]>`
    select webhook_secret from accounts where id = ${world.accountId}`;
  if (!row) throw new Error('no account');
  return world.secrets.open(row.webhookSecret, { accountId: world.accountId, rowId: world.accountId });
};

/** One attempt by the service's own activities, as the receiver got it. */
const deliver = async (variant: Variant): Promise<{ id: string; received: ReceivedRequest }> => {
  await retireWebhooks(world.db);
  await world.aWebhook({ url: receiver.url('/hook'), variant, secret });
  const [id = ''] = await world.anEvent('Grüße 👋');
  const deliveryId = showId('delivery', id);
  const before = receiver.requests.length;
  await world.attempt({ deliveryId, round: 1, kind: 'scheduled', number: 1 });
  const received = receiver.requests[before];
  if (!received) throw new Error('nothing was received');
  return { id: deliveryId, received };
};

test.each(entries)('$entry: verifies what the service sends for each variant', async ({ verify }) => {
  for (const variant of ['api', 'dashboard'] as const) {
    const { id, received } = await deliver(variant);
    const { rawBody: body, headers } = received;
    const secrets = variant === 'api' ? secret : await accountSecret();
    const webhook = await verify({ body, headers, secrets, toleranceSeconds: 60 });
    expect(webhook).toMatchObject({ type: variant, id, envelope: { event: 'new_message' } });
    await expect(verify({ body, headers, secrets: 'another' })).rejects.toMatchObject({ code: 'signature_mismatch' });
  }
});

test.each(entries)('$entry: passes the challenge of the service', async ({ verify }) => {
  receiver.respondWith(async ({ rawBody: body, headers }): Promise<Answer> => {
    const webhook = await verify({ body, headers, secrets: secret, toleranceSeconds: 60 });
    return webhook.type === 'challenge' ? { type: 'respond', ...answerChallenge(webhook.challenge) } : 500;
  });
  const egress = createEgress({ allow: parseEgressAllow('127.0.0.0/8'), extraCa: testCa().certPem });
  expect(await sendChallenge(egress, { accountId: 'acme', url: receiver.url('/hook'), secret })).toMatchObject({
    ok: true,
  });
  await egress.close();
});
