import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import type { SignatureCheck } from '../../src/shared/webhooks/schema.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { agePreviousSecrets } from '../helpers/states/webhooks.ts';

const api = await useApi();
const url = 'https://receiver.example/';
const body = '{"event":"new_contact"}';

const sign = (secret: string, text = body) => createHmac('sha256', secret).update(text).digest('hex');

const check = (
  account: TestAccount,
  webhookId: string,
  given: object,
  door: 'v1' | 'dashboard/api' = 'dashboard/api',
) =>
  api.request<SignatureCheck>('POST', `/${door}/webhooks/${showId('webhook', webhookId)}/check-signature`, {
    ...(door === 'v1' ? { key: account.apiKey } : { session: account.session }),
    body: { body, ...given },
  });

test('a signature of variant A is checked with its own secret, behind both doors, and the secret is told nowhere', async () => {
  const account = await api.createAccount();
  const id = await insertWebhook(api.deps, { ...account, url, secret: 'the-secret-of-one' });
  const other = await insertWebhook(api.deps, { ...account, url, secret: 'the-secret-of-another' });
  const right = { valid: true, header: 'X-Service-Signature', secret: 'present', problems: [] };
  const signature = sign('the-secret-of-one');
  for (const door of ['v1', 'dashboard/api'] as const) {
    const answer = await check(account, id, { signature }, door);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual(right);
    const wrong = await check(account, other, { signature }, door);
    expect(wrong.body).toMatchObject({ valid: false, problems: [{ code: 'mismatch' }] });
    expect(wrong.text).not.toMatch(/the-secret/);
  }
  expect(api.logged.join()).not.toMatch(/the-secret|new_contact/);
});

test("a signature of variant B is checked with the account's secret, in the dashboard alone", async () => {
  const account = await api.createAccount();
  const id = await insertWebhook(api.deps, { ...account, url, variant: 'dashboard' });
  const shown = await api.request<{ secret: string }>('GET', '/dashboard/api/webhook-secret', account);
  const signature = sign(shown.body.secret);
  expect((await check(account, id, { signature })).body).toMatchObject({ valid: true, secret: 'present' });
  expect((await check(account, id, { signature }, 'v1')).status).toBe(404);
});

test('for a day after a rotation a signature by the earlier secret is right, and says so', async () => {
  const account = await api.createAccount();
  const id = await insertWebhook(api.deps, { ...account, url, secret: 'before' });
  await api.request('PATCH', `/v1/webhooks/${showId('webhook', id)}`, {
    key: account.apiKey,
    body: { secret: 'after' },
  });
  const earlier = () => check(account, id, { signature: sign('before') });
  expect((await earlier()).body).toMatchObject({ valid: true, secret: 'previous' });
  expect((await check(account, id, { signature: sign('after') })).body).toMatchObject({ secret: 'present' });
  await agePreviousSecrets(api.db, 25);
  expect((await earlier()).body).toMatchObject({ valid: false, secret: null });
});

test('the bytes that count are those of the text in UTF-8', async () => {
  const account = await api.createAccount();
  const id = await insertWebhook(api.deps, { ...account, url, secret: 's' });
  const text = '{"text":"Größe 🙂"}';
  const answer = await check(account, id, { body: text, signature: sign('s', text) });
  expect(answer.body).toMatchObject({ valid: true });
});

test('an agent may not ask, and what is too large is refused: 422 for the body, 413 for the request', async () => {
  const account = await api.createAccount();
  const id = await insertWebhook(api.deps, { ...account, url });
  const signature = sign('a-secret');
  const long = await check(account, id, { body: 'x'.repeat(256 * 1024 + 1), signature });
  expect(long).toMatchObject({ status: 422, body: { error: { details: [{ path: 'body' }] } } });
  expect((await check(account, id, { signature: 'x'.repeat(1_001) })).status).toBe(422);
  expect((await check(account, id, { body: 'x'.repeat(1_100_000), signature })).status).toBe(413);
  await setRole(api.db, account.userId, 'agent');
  expect((await check(account, id, { signature })).status).toBe(403);
});
