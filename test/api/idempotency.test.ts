import Koa from 'koa';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createRouter } from '../../src/api/http.ts';
import { idempotently } from '../../src/api/idempotency.ts';
import { errors } from '../../src/api/middleware/errors.ts';
import { listen } from '../../src/service/listen.ts';
import { deleteOldIdempotencyKeys } from '../../src/shared/platform/idempotency/keys.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { ageIdempotencyKey } from '../helpers/states/accounts.ts';

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

type Contact = { id: string; first_name: string };

const create = (idempotencyKey: string, body: unknown = aContact(), key = account.apiKey) =>
  api.request<Contact>('POST', '/v1/contacts', { key, body, headers: { 'idempotency-key': idempotencyKey } });

const countContacts = async ({ accountId }: TestAccount = account) =>
  (await api.db`select 1 from contacts where account_id = ${accountId}`).count;

test('the same request again is answered as before, byte by byte, says so, and does nothing', async () => {
  const first = await create('order-1');
  const again = await create('order-1');
  expect(first).toMatchObject({ status: 201, body: { first_name: 'Ada' } });
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  expect(again).toMatchObject({ status: 201, text: first.text, headers: { 'idempotent-replayed': 'true' } });
  expect(again.headers['content-type']).toBe(first.headers['content-type']);
  expect(await countContacts()).toBe(1);
  expect((await api.db`select 1 from events where account_id = ${account.accountId}`).count).toBe(1);
});

test('twins sent at the same time do it once, and all get the one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create('twins')));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  expect(await countContacts()).toBe(1);
});

test('another body or spelling of it under the same key is 422, and does nothing', async () => {
  await create('order-2', { first_name: 'Ada' });
  for (const body of [{ first_name: 'Grace' }, '{"first_name": "Ada"}']) {
    const answer = await create('order-2', body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ error: { details: [{ path: 'Idempotency-Key' }] } });
  }
  expect(await countContacts()).toBe(1);
});

test('the same body to another path under the same key is 422, and does nothing', async () => {
  const key = account.apiKey;
  const [first, second] = await Promise.all(
    ['Shop', 'App'].map((name) =>
      api.request<{ id: string }>('POST', '/v1/channels', { key, body: { type: 'api', name } }),
    ),
  );
  const message = { key, headers: { 'idempotency-key': 'order-2' }, body: anInboundMessage() };
  const sendTo = (channel = first) => api.request('POST', `/v1/channels/${channel?.body.id}/inbound`, message);
  expect((await sendTo(first)).status).toBe(202);
  expect((await sendTo(second)).status).toBe(422);
  expect(await countContacts()).toBe(1);
});

test('the same body to the same path by another method under the same key is 422, and does nothing', async () => {
  let done = 0;
  const router = createRouter();
  router.use(async (ctx, next) => {
    ctx.state.principal = { accountId: account.accountId, plan: 'pro', role: 'owner' };
    await next();
  });
  router.all('/thing', (ctx) =>
    idempotently(ctx, api.deps, {
      status: 200,
      work: async () => {
        done += 1;
        return { done };
      },
    }),
  );
  const app = new Koa().use(errors(api.deps.log)).use(router.routes());
  const place = { name: 'PORT', host: '127.0.0.1', port: 0 };
  const server = await listen(app.callback(), place);
  onTestFinished(server.stop);
  const send = (method: string) =>
    fetch(`http://127.0.0.1:${server.port}/thing`, { method, body: '{}', headers: { 'idempotency-key': 'order-3' } });
  expect((await send('POST')).status).toBe(200);
  expect((await send('PUT')).status).toBe(422);
  expect(done).toBe(1);
});

test('a key belongs to its account', async () => {
  const other = await api.createAccount();
  const mine = await create('shared');
  const theirs = await create('shared', aContact(), other.apiKey);
  expect(theirs.status).toBe(201);
  expect(theirs.body.id).not.toBe(mine.body.id);
  expect(await countContacts(other)).toBe(1);
});

test('what is refused keeps no key: the corrected request may use it', async () => {
  expect((await create('order-3', { first_name: 7 })).status).toBe(422);
  expect((await create('order-3', { first_name: 'Ada' })).status).toBe(201);
});

test('a failure half-way leaves neither the write nor the key, and the request can be sent again', async () => {
  await api.db`alter table events rename column data to payload`;
  const failed = await create('order-4');
  await api.db`alter table events rename column payload to data`;
  expect(failed.status).toBe(500);
  expect(await countContacts()).toBe(0);
  expect((await api.db`select 1 from idempotency_keys where account_id = ${account.accountId}`).count).toBe(0);
  expect((await create('order-4')).status).toBe(201);
});

test('after 24 hours the key is free, whether its row was removed or not', async () => {
  const age = (key: string, hours: number) => ageIdempotencyKey(api.db, { accountId: account.accountId, key, hours });
  const first = await create('daily');
  await age('daily', 23);
  expect((await create('daily')).body.id).toBe(first.body.id);
  await age('daily', 24);
  expect((await create('daily', { first_name: 'Grace' })).status).toBe(201);

  await create('kept');
  await age('daily', 25);
  expect(await deleteOldIdempotencyKeys(api.db)).toBe(1);
  const left = await api.db<
    { key: string }[]
  >`select key from idempotency_keys where account_id = ${account.accountId}`;
  expect(left.map(({ key }) => key)).toEqual(['kept']);
});

test('answers are kept sealed: they may hold what is shown once', async () => {
  await create('sealed', { first_name: 'Rumpelstiltskin' });
  const [row] = await api.db<[{ answer: Buffer }]>`
    select answer from idempotency_keys where account_id = ${account.accountId}`;
  expect(row.answer.toString('latin1')).not.toContain('Rumpelstiltskin');
});

test.for(['x'.repeat(256), 'a b', 'ü'])('the key %j is 422', async (idempotencyKey) => {
  expect((await create(idempotencyKey)).status).toBe(422);
  expect(await countContacts()).toBe(0);
});

test('an inbound message under a key that was used is answered as the first time, not as a duplicate', async () => {
  const body = { type: 'api', name: 'Shop' };
  const channel = await api.request<{ id: string }>('POST', '/v1/channels', { key: account.apiKey, body });
  const outgoing = { key: account.apiKey, headers: { 'idempotency-key': 'inbound-1' }, body: anInboundMessage() };
  const path = `/v1/channels/${channel.body.id}/inbound`;
  const first = await api.request('POST', path, outgoing);
  const again = await api.request('POST', path, outgoing);
  expect(first).toMatchObject({ status: 202, body: { duplicate: false } });
  expect(again).toMatchObject({ status: 202, text: first.text });
});
