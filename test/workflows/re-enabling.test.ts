import { describe, expect, test } from 'vitest';
import { listUsers } from '../../src/shared/users/queries.ts';
import { createSession } from '../../src/shared/accounts/sessions.ts';
import { showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { useLadderWorld } from '../helpers/ladder-world.ts';

type ReEnabled = { status: string; replay: { id: string; total: number } | null; replay_found: object | null };

const { env, world, receiver } = await useLadderWorld();
const api = await useApi({ world });
const [owner] = await listUsers(world.db, world.accountId, { limit: 1 });
const session = await createSession(world.db, owner?.id ?? '');

describe('re-enabling a webhook that its failures disabled', () => {
  const resultOf = (workflowId: string) => env.client.workflow.getHandle(workflowId).result();

  /** An event's delivery, and how its round ended. */
  const deliver = async (status: number): Promise<string> => {
    receiver.respondWith(status);
    const [id = ''] = await world.anEvent();
    await world.ended(id);
    return id;
  };

  test('the mail says what happened and since when, and leads to what makes the webhook active again', async () => {
    const webhookId = await world.aWebhook({ url: receiver.url('/hook?token=secret') });
    const id = await deliver(503);
    const [mail] = await world.db<{ body: string }[]>`
      select body from mails where dedup_key like ${`webhook_disabled/${webhookId}/%`}`;
    const [times] = await world.db<{ since: Date; at: Date }[]>`
      select d.first_attempt_at as since, w.disabled_at as at from deliveries d join webhooks w on w.id = d.webhook_id
      where d.id = ${id}`;
    const say = (at: Date | undefined) => at?.toISOString().slice(0, 19).replace('T', ' ');
    const shown = showId('webhook', webhookId);
    expect(mail?.body).toContain(`was disabled at ${say(times?.at)} UTC. `);
    expect(mail?.body).toContain(`have failed since ${say(times?.since)} UTC`);
    expect(mail?.body).toContain('Last failure: HTTP 503.');
    expect(mail?.body).toContain(`https://api.parley.example/v1/webhooks/${shown}/re-enable`);
    expect(mail?.body).toContain(`parley webhooks re-enable ${shown} --replay all`);
    expect(mail?.body).not.toContain('secret');
  });

  test('with the replay of all, the very delivery that it was disabled for is sent again, and what was parked since', async () => {
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const before = await deliver(200);
    const disabledFor = await deliver(500);
    expect(await world.delivery(disabledFor)).toMatchObject({ status: 'failed', attemptsMade: 6 });
    await world.anEvent();
    const [parked] = await world.db<{ id: string }[]>`
      select id from deliveries where webhook_id = ${webhookId} and status = 'parked'`;

    receiver.respondWith(200);
    const path = `/dashboard/api/webhooks/${showId('webhook', webhookId)}/re-enable`;
    const answer = await api.request<ReEnabled>('POST', path, { session, body: { replay: { type: 'all' } } });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'active', replay: { total: 2 }, replay_found: { parked: 1, failed: 1, dropped: 0 } },
    });
    await world.dispatcher.drain();
    expect(await resultOf(`replay/${answer.body.replay?.id}`)).toBe('finished');
    await world.drain();
    for (const id of [disabledFor, parked?.id ?? '']) {
      expect(await resultOf(`delivery/${showId('delivery', id)}/round/2`)).toMatchObject({ status: 'delivered' });
    }
    expect(await world.delivery(before)).toMatchObject({ round: 1 });
    const shown = `/dashboard/api/deliveries/${showId('delivery', disabledFor)}`;
    const { body } = await api.request<{ rounds: object[] }>('GET', shown, { session });
    expect(body.rounds).toMatchObject([
      { begun_by: 'event' },
      { begun_by: 're_enabling', replay_id: answer.body.replay?.id },
    ]);
  });
});
