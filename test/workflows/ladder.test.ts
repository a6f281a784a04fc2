import { describe, expect, test } from 'vitest';
import type { Variant } from '../../src/shared/facts/names.ts';
import { showId } from '../../src/shared/ids.ts';
import { pausesOf, useLadderWorld } from '../helpers/ladder-world.ts';
import { verifySignature } from '../helpers/receiver.ts';
import { shownOf } from '../helpers/temporal.ts';
import { updateApiWebhook } from '../../src/shared/webhooks/queries.ts';

const variants: Variant[] = ['api', 'dashboard'];
const ladder = [30_000, 60_000, 120_000, 240_000, 480_000];

const live = await useLadderWorld();
const { env, world, receiver } = live;

describe('the retry ladder', () => {
  const handleOf = (deliveryId: string) => env.client.workflow.getHandle(`delivery/${showId('delivery', deliveryId)}`);

  /** Emits an event to a new webhook whose endpoint answers with these statuses in turn, and awaits its delivery's end. */
  const deliver = async (variant: Variant, statuses: number[], secret?: string) => {
    const path = `/${crypto.randomUUID()}`;
    receiver.respondWith(statuses);
    const webhookId = await world.aWebhook({ url: receiver.url(path), variant, ...(secret && { secret }) });
    const [id = ''] = await world.anEvent();
    const { status, ...end } = await world.ended(id);
    const received = receiver.requests.filter((request) => request.path === path);
    return { id, webhookId, status, end, received };
  };

  const shown = (id: string) => shownOf(env.client, handleOf(id).workflowId);

  const mails = () => world.db<{ dedupKey: string; recipient: string }[]>`select dedup_key, recipient from mails`;
  const webhook = async (id: string) => {
    const [row] = await world.db<{ status: string; disabledReason: string | null }[]>`
      select status, disabled_reason from webhooks where id = ${id}`;
    return row;
  };

  test('variant A: six attempts exactly 30 s, 1, 2, 4 and 8 minutes apart, then the webhook is disabled and one e-mail made', async () => {
    const { id, webhookId, status, end, received } = await deliver('api', [500]);

    expect(await pausesOf(live, id)).toEqual(ladder);
    expect(status).toBe('failed');
    expect(end).toEqual({ reason: 'status', status_code: 500 });
    expect(received).toHaveLength(6);
    const { details, failures, summaries } = await shown(id);
    expect(failures).toMatchObject(
      Array.from({ length: 5 }, () => ({ message: 'HTTP 500', type: 'AttemptFailed', final: true })),
    );
    expect(summaries).toContain('HTTP 500; retry 2 of 5 in 1 min');
    expect(summaries).toContain('decides whether to disable the webhook');
    expect(details).toBe('**failed**: 6 attempts, last answered 500; webhook disabled; re-enable it, then replay');
    const attempts = await world.attempts(id);
    expect(
      attempts.map(({ kind, number, outcome, reason, statusCode }) => [kind, number, outcome, reason, statusCode]),
    ).toEqual([1, 2, 3, 4, 5, 6].map((number) => ['scheduled', number, 'failed', 'status', 500]));
    expect(await world.delivery(id)).toMatchObject({
      status: 'failed',
      attemptsMade: 6,
      nextAttemptAt: null,
      sweepAt: null,
    });
    expect(await webhook(webhookId)).toEqual({ status: 'disabled', disabledReason: 'failures' });
    expect(await mails()).toEqual([{ dedupKey: `webhook_disabled/${webhookId}/1`, recipient: 'owner@acme.example' }]);
  });

  test('variant B: the same six attempts, then the event is dropped to the log; the webhook stays active, no e-mail', async () => {
    const before = await mails();
    const { id, webhookId, status, end, received } = await deliver('dashboard', [503]);

    expect(await pausesOf(live, id)).toEqual(ladder);
    expect(status).toBe('dropped');
    expect(end).toEqual({ reason: 'status', status_code: 503 });
    expect((await shown(id)).details).toBe(
      '**dropped**: 6 attempts, last answered 503; webhook still active; replay when its endpoint is healthy',
    );
    expect(received).toHaveLength(6);
    expect(await world.delivery(id)).toMatchObject({
      status: 'dropped',
      attemptsMade: 6,
      nextAttemptAt: null,
      sweepAt: null,
    });
    expect(await webhook(webhookId)).toEqual({ status: 'active', disabledReason: null });
    expect(await mails()).toEqual(before);
  });

  test.each(variants.flatMap((variant) => [1, 2, 3, 4, 5, 6].map((number) => ({ variant, number }))))(
    'variant $variant: a success on attempt $number ends the round as delivered, with no timer after it',
    async ({ variant, number }) => {
      const failures = Array.from({ length: number - 1 }, () => 500);
      const { id, webhookId, status, received } = await deliver(variant, [...failures, 200]);

      expect(status).toBe('delivered');
      expect(received).toHaveLength(number);
      expect(await pausesOf(live, id)).toEqual(ladder.slice(0, number - 1));
      expect(await world.delivery(id)).toMatchObject({
        status: 'delivered',
        attemptsMade: number,
        sweepAt: null,
        withoutWorkflow: false,
      });
      expect(await webhook(webhookId)).toEqual({ status: 'active', disabledReason: null });
    },
  );

  test('every attempt sends the same bytes and id, signed over exactly those bytes', async () => {
    const { id, received } = await deliver('api', [500, 500, 200], 'a secret of our own');
    const row = await world.delivery(id);

    expect(received).toHaveLength(3);
    for (const { rawBody, headers } of received) {
      expect(rawBody.equals(row.body)).toBe(true);
      expect(verifySignature(rawBody, 'a secret of our own', headers['x-service-signature'])).toBe(true);
      expect(headers['webhook-id']).toBe(showId('delivery', id));
      expect(headers['content-type']).toBe('application/json');
    }
    expect(JSON.parse(String(row.body))).toMatchObject({
      id: showId('delivery', id),
      event: 'new_message',
      data: {
        contact_id: showId('contact', world.contactId),
        channel: 'api',
        message: { text: 'hello', direction: 'inbound' },
      },
    });
  });

  test('a secret rotated between two attempts signs the retry, over the same bytes', async () => {
    const webhookId = await world.aWebhook({ url: receiver.url('/rotated'), secret: 'the old one' });
    receiver.respondWith(async (_, index) => {
      const secret = world.secrets.seal('the new one', { accountId: world.accountId, rowId: webhookId });
      await updateApiWebhook(world.db, webhookId, { secret: { secret, previous: null } });
      return receiver.requests.filter(({ path }) => path === '/rotated').length > 1 || index < 0 ? 200 : 500;
    });
    const [id = ''] = await world.anEvent();
    expect(await world.ended(id)).toMatchObject({ status: 'delivered' });

    const [first, second] = receiver.requests.filter(({ path }) => path === '/rotated');
    expect(verifySignature(first?.rawBody ?? Buffer.of(), 'the old one', first?.headers['x-service-signature'])).toBe(
      true,
    );
    expect(verifySignature(second?.rawBody ?? Buffer.of(), 'the new one', second?.headers['x-service-signature'])).toBe(
      true,
    );
    expect(second?.rawBody.equals(first?.rawBody ?? Buffer.of())).toBe(true);
  });

  test('deliveries that exhaust together disable the webhook once and make one e-mail', async () => {
    const together = 8;
    const allAtTheirLast = Promise.withResolvers<void>();
    let received = 0;
    receiver.respondWith(async () => {
      received += 1;
      if (received === 6 * together) allAtTheirLast.resolve();
      if (received > 5 * together) await allAtTheirLast.promise;
      return 500;
    });
    const webhookId = await world.aWebhook({ url: receiver.url('/together') });
    const ids: string[] = [];
    for (let count = 0; count < together; count += 1) ids.push(...(await world.anEvent()));
    // One at a time: the server stops skipping time as soon as one of several awaited results is there.
    for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'failed' });

    expect(ids).toHaveLength(together);
    expect(await webhook(webhookId)).toMatchObject({ status: 'disabled' });
    expect((await mails()).filter(({ dedupKey }) => dedupKey.includes(webhookId))).toHaveLength(1);
  });

  test('attempts by outcome and deliveries by the status that they ended with are counted', async () => {
    await deliver('dashboard', [500]);
    const numbers = await world.metrics.registry.metrics();
    expect(numbers).toMatch(
      /^parley_delivery_attempts_total\{variant="dashboard",outcome="failed",reason="status"\} [1-9]/m,
    );
    for (const status of ['delivered', 'failed', 'dropped']) {
      expect(numbers).toMatch(new RegExp(`^parley_deliveries_total\\{status="${status}",way="workflow"\\} [1-9]`, 'm'));
    }
  });

  test.each([
    {
      what: 'another delivery has succeeded since its first attempt',
      change: async () => {
        receiver.respondWith((request) => (request.rawBody.includes('the good one') ? 200 : 500));
        const [good = ''] = (await world.anEvent('the good one')).slice(-1);
        await world.ended(good);
      },
    },
    {
      what: 'the url has changed since its first attempt',
      change: (webhookId: string) => updateApiWebhook(world.db, webhookId, { url: receiver.url('/moved') }),
    },
    {
      what: 'the secret has changed since its first attempt',
      change: (webhookId: string) => {
        const secret = world.secrets.seal('another', { accountId: world.accountId, rowId: webhookId });
        return updateApiWebhook(world.db, webhookId, { secret: { secret, previous: null } });
      },
    },
  ])('an exhausted delivery of variant A only fails, and disables nothing, when $what', async ({ change }) => {
    receiver.respondWith(500);
    const webhookId = await world.aWebhook({ url: receiver.url('/consecutive') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await change(webhookId);
    expect(await world.ended(id)).toMatchObject({ status: 'failed' });
    expect((await shown(id)).details).toMatch(
      /^\*\*failed\*\*: 6 attempts, last answered 500; webhook left active: another delivery succeeded, or the webhook was changed; replay/,
    );

    expect(await webhook(webhookId)).toEqual({ status: 'active', disabledReason: null });
    expect((await mails()).filter(({ dedupKey }) => dedupKey.includes(webhookId))).toEqual([]);
  });
});
