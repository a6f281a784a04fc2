import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyWebhook } from '../../../packages/verify/src/index.ts';
import { createApiKey } from '../../../src/shared/accounts/api-keys.ts';
import { createSession } from '../../../src/shared/accounts/sessions.ts';
import { getWebhookSecret } from '../../../src/shared/webhooks/account-secret.ts';
import type { Variant } from '../../../src/shared/facts/names.ts';
import { showId } from '../../../src/shared/ids.ts';
import { resealAll } from '../../../src/shared/platform/secrets/rotate.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { findSealedSecrets } from '../../../src/shared/webhooks/queries.ts';
import { forgetPreviousSecrets } from '../../../src/shared/signing/secrets.ts';
import { openSigningSecrets } from '../../../src/shared/webhooks/signing-secrets.ts';
import { startApi, type TestApi } from '../../helpers/api.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../helpers/delivery-world.ts';
import { startReceiver, verifySignature, type ReceivedRequest, type Receiver } from '../../helpers/receiver.ts';
import {
  retireWebhooks,
  agePreviousSecrets,
  damagePreviousSecrets,
  replaceSecretAs02,
} from '../../helpers/states/webhooks.ts';
import { untold } from '../../helpers/untold.ts';

const masterKey = randomBytes(32);
let world: DeliveryWorld;
let api: TestApi;
let receiver: Receiver;
let key: string;
let session: string;

beforeAll(async () => {
  [world, receiver] = await Promise.all([startDeliveryWorld({ secrets: createSecrets(masterKey) }), startReceiver()]);
  api = await startApi({ world });
  ({ value: key } = await createApiKey(untold(world.db), world.accountId, 'test'));
  const [owner] = await world.db<{ id: string }[]>`select id from users where account_id = ${world.accountId}`;
  session = await createSession(world.db, owner?.id ?? '');
});
beforeEach(() => retireWebhooks(world.db));
afterAll(async () => {
  await api.stop();
  await Promise.all([world.stop(), receiver.close()]);
});

/** One attempt of a new event, as the receiver gets it. */
const deliver = async (): Promise<ReceivedRequest> => {
  const before = receiver.requests.length;
  const [id = ''] = await world.anEvent();
  const first = { round: 1, kind: 'scheduled', number: 1 } as const;
  await world.attempt({ deliveryId: showId('delivery', id), ...first });
  const received = receiver.requests[before];
  if (!received) throw new Error('nothing was received');
  return received;
};

/** Which of these secrets a receiver may have to believe the request, by the ready-made verifier. */
const believedWith = ({ rawBody: body, headers }: ReceivedRequest, secrets: readonly string[]): string[] =>
  secrets.filter((candidate) => {
    try {
      return Boolean(verifyWebhook({ body, headers, secrets: candidate, toleranceSeconds: 300 }));
    } catch {
      return false;
    }
  });

const signaturesOf = ({ headers }: ReceivedRequest): number => String(headers['webhook-signature']).split(' ').length;

/** A webhook, the secret that it has, and what replaces that: through the API, as its owner does it. */
const aWebhook = async (variant: Variant) => {
  const id = await world.aWebhook({ url: receiver.url('/hook'), variant, secret: 'the first secret' });
  const first =
    variant === 'api' ? 'the first secret' : await getWebhookSecret({ sql: world.db, ...world }, world.accountId);
  const rotate = async (secret: string): Promise<string> => {
    if (variant === 'api') {
      await api.request('PATCH', `/v1/webhooks/${showId('webhook', id)}`, { key, body: { secret } });
      return secret;
    }
    const { body } = await api.request<{ secret: string }>('POST', '/dashboard/api/webhook-secret/rotate', { session });
    return body.secret;
  };
  return { id, first, rotate };
};

test.each(['api', 'dashboard'] as const)(
  'for a day after a rotation, requests to webhooks of variant %s are signed by the new secret and by the one before',
  async (variant) => {
    const { first, rotate } = await aWebhook(variant);
    const second = await rotate('the second secret');
    const request = await deliver();
    expect(verifySignature(request.rawBody, second, request.headers['x-service-signature'])).toBe(true);
    expect(signaturesOf(request)).toBe(2);
    expect(believedWith(request, [first, second, 'another'])).toEqual([first, second]);

    const third = await rotate('the third secret');
    expect(believedWith(await deliver(), [first, second, third])).toEqual([second, third]);

    await agePreviousSecrets(world.db, 24);
    const later = await deliver();
    expect(signaturesOf(later)).toBe(1);
    expect(believedWith(later, [first, second, third])).toEqual([third]);

    await forgetPreviousSecrets(world.db);
    const kept = await world.db`
      select 1 from webhooks where previous_secret is not null
      union all select 1 from accounts where previous_webhook_secret is not null`;
    expect(kept).toHaveLength(0);
  },
);

test('the same secret again, as in a request that is repeated, is no rotation', async () => {
  const { first, rotate } = await aWebhook('api');
  await rotate('the second secret');
  await rotate('the second secret');
  expect(believedWith(await deliver(), [first, 'the second secret'])).toEqual([first, 'the second secret']);
});

test('a secret that a process of 0.2 has put in the place of another has no wrong one before it', async () => {
  const { id, first, rotate } = await aWebhook('api');
  await rotate('the second secret');
  const sealed = world.secrets.seal('of 0.2', { accountId: world.accountId, rowId: id });
  await replaceSecretAs02(world.db, id, sealed);
  const request = await deliver();
  expect(signaturesOf(request)).toBe(1);
  expect(believedWith(request, [first, 'the second secret', 'of 0.2'])).toEqual(['of 0.2']);
});

test('challenges and test events are signed by both, too', async () => {
  const { id, first, rotate } = await aWebhook('dashboard');
  const second = await rotate('');
  const before = receiver.requests.length;
  await api.request('POST', `/dashboard/api/webhooks/${showId('webhook', id)}/verify`, { session });
  const { body } = await api.request<{ id: string }>('POST', `/dashboard/api/webhooks/${showId('webhook', id)}/test`, {
    session,
    body: {},
  });
  await world.attempt({ deliveryId: body.id, round: 1, kind: 'scheduled', number: 1 });
  const [challenge, testEvent, ...more] = receiver.requests.slice(before);
  expect(more).toEqual([]);
  for (const request of [challenge, testEvent]) {
    if (!request) throw new Error('nothing was received');
    expect(believedWith(request, [first, second])).toEqual([first, second]);
  }
});

test('a secret that was replaced is sealed anew with another master key, and one that does not open is left out', async () => {
  const { accountId, db } = world;
  const { id: webhookId, first, rotate } = await aWebhook('api');
  await rotate('the second secret');
  const next = randomBytes(32);
  const open = async (secrets: ReturnType<typeof createSecrets>) => {
    const sealed = await findSealedSecrets(db, webhookId);
    return sealed && openSigningSecrets(secrets, { accountId, webhookId, ...sealed });
  };
  const { failed } = await resealAll({ sql: db, secrets: createSecrets(next, masterKey) });
  expect(failed).toEqual([]);
  expect(await open(createSecrets(next))).toEqual({ secret: 'the second secret', previousSecret: first });
  await damagePreviousSecrets(db);
  expect(await open(createSecrets(next))).toEqual({ secret: 'the second secret' });
  const [row] = await db<
    { stored: string }[]
  >`select previous_secret::text as stored from webhooks where id = ${webhookId}`;
  expect(row?.stored).not.toContain(Buffer.from(first).toString('hex'));
});
