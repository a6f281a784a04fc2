import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocks } from '../../../src/shared/flows/blocks/index.ts';
import type { TestAccount } from '../../helpers/api.ts';
import { flowCalls } from '../../helpers/flows.ts';
import { startLiveApi, type LiveApi } from '../../helpers/live-world.ts';
import { startReceiver, verifySignature, type ReceivedRequest, type Receiver } from '../../helpers/receiver.ts';
import { shownOf } from '../../helpers/temporal.ts';

type Run = { id: string; status: string; waiting: string | null; block_id: string; reason: string | null };
type Started = { conversation_id: string; routed_to: { run_id: string } };
type Step = { block_id: string; port: string | null };

const soon = { timeout: 60_000, interval: 50 };

let live: LiveApi;
let account: TestAccount;
/** What the account holder has: a shop with an API, endpoints of webhooks, and the app that shows messages to contacts. */
let shop: Receiver;
let hooks: Receiver;
let app: Receiver;

beforeAll(async () => {
  live = await startLiveApi();
  account = await live.api.createAccount();
  [shop, hooks, app] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
});
afterAll(async () => {
  await live.stop();
  await Promise.all([shop.close(), hooks.close(), app.close()]);
});

const jsonOf = ({ rawBody }: ReceivedRequest) => JSON.parse(rawBody.toString());

test('a flow with every block, published by the API, is walked by a contact over the api channel', async () => {
  const { call, create, createLive, publish } = flowCalls(live.api, account);
  const { session } = account;

  const secretA = 'a-secret-of-our-own-choice';
  await call('POST', '/webhooks', {
    url: hooks.url('/a'),
    events: ['flow_completed', 'conversation_closed'],
    secret: secretA,
  });
  hooks.respondWith((request) => ({ type: 'respond', body: request.rawBody }));
  const webhookB = { url: hooks.url('/b'), events: ['*'] };
  const added = await live.api.request('POST', '/dashboard/api/webhooks', { session, body: webhookB });
  expect(added.body).toMatchObject({ status: 'active' });
  const ofB = await live.api.request<{ secret: string }>('GET', '/dashboard/api/webhook-secret', { session });
  const { body: channel } = await call<{ id: string; secret: string }>('POST', '/channels', {
    type: 'api',
    name: 'Our app',
    callback_url: app.url('/messages'),
  });
  const says = (text: string) =>
    call<{ contact_id: string; message: { id: string } }>('POST', `/channels/${channel.id}/inbound`, {
      message_id: text,
      sender: { external_id: 'ada', first_name: 'Ada' },
      text,
    });

  for (const [key, type] of Object.entries({ size: 'text', left: 'number', order_number: 'text', coupon: 'text' }))
    await call('POST', '/custom-fields', { key, name: key, type });
  const credential = { name: 'shop', type: 'bearer', hosts: ['127.0.0.1'], token: 'sk_live_4711' };
  expect(await call('POST', '/credentials', credential)).toMatchObject({ status: 201 });
  shop.respondWith(({ method }) => {
    if (method === 'GET') return { type: 'respond', body: '{"items": [{"left": "3"}]}' };
    if (method === 'POST') return { type: 'respond', status: 201, body: '{"order": {"number": "A-1"}}' };
    return { type: 'respond', status: method === 'DELETE' ? 204 : 200 };
  });

  const thanks = await createLive(
    {
      schema_version: 1,
      start: 'thank',
      blocks: [{ id: 'thank', type: 'send', messages: [{ text: 'Thanks for {{params.order}}' }] }],
    },
    'Thanks',
  );
  const request = (id: string, method: string, path: string, more: object = {}) => ({
    id,
    type: 'external_request',
    method,
    url: `${shop.url('')}${path}`,
    credential: 'shop',
    headers: { 'X-Run': '{{run.id}}' },
    next: { error: null, timeout: null },
    ...more,
  });
  const flow = await create(
    {
      schema_version: 1,
      start: 'greet',
      triggers: [{ type: 'keyword', match: 'exact', words: ['shirt'] }],
      blocks: [
        { id: 'greet', type: 'send', messages: [{ text: 'Hello {{first_name}}' }] },
        {
          id: 'size',
          type: 'ask',
          prompt: 'Which size?',
          expects: 'choice',
          choices: ['S', 'M'],
          save_to: 'size',
          next: { invalid: null, timeout: null },
        },
        request('stock', 'GET', '/stock/{{size}}', {
          query: { of: '{{contact.id}}' },
          mapping: [{ path: '$.items[0].left', field: 'left' }],
        }),
        {
          id: 'enough',
          type: 'condition',
          rules: [{ field: 'left', op: 'gt', value: 2 }],
          next: { false: null },
        },
        request('order', 'POST', '/orders', {
          body: '{"size": "{{size}}", "of": {{left}}, "by": {{first_name|json}}}',
          mapping: [{ path: 'order.number', field: 'order_number' }],
        }),
        { id: 'pause', type: 'delay', for: 'PT1S' },
        { id: 'coupon', type: 'set_field', field: 'coupon', value: 'FOR-{{order_number}}' },
        request('confirm', 'PUT', '/orders/{{order_number}}', { form: { coupon: '{{coupon}}' } }),
        { id: 'forget', type: 'clear_field', field: 'coupon' },
        { id: 'mark', type: 'add_tag', tag: 'buyer' },
        { id: 'unmark', type: 'remove_tag', tag: 'visitor' },
        { id: 'ways', type: 'split', weights: { a: 1, b: 0 }, next: { b: null } },
        {
          id: 'paid',
          type: 'wait_event',
          event: 'tag_applied',
          rules: [{ field: 'event.tag.name', op: 'is', value: 'paid' }],
          next: { timeout: null },
        },
        { id: 'person', type: 'handover', reason: 'A receipt for {{first_name}}', next: { timeout: null } },
        { id: 'release', type: 'goto', block: 'remove' },
        { id: 'never', type: 'send', messages: [{ text: 'never' }] },
        request('remove', 'DELETE', '/carts/{{contact.id}}'),
        {
          id: 'thank',
          type: 'start_flow',
          flow_id: thanks.id,
          params: { order: '{{order_number}}' },
        },
        { id: 'close', type: 'close_conversation' },
        { id: 'done', type: 'end' },
      ],
    },
    'Shirts',
  );
  const validated = await call<{ issues: { severity: string; code: string }[] }>('POST', `/flows/${flow.id}/validate`);
  expect(validated.body.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(await publish(flow.id)).toMatchObject({ status: 200, body: { status: 'live', version: 1 } });

  const contactId = (await says('hello')).body.contact_id;
  await call('PUT', `/contacts/${contactId}/tags/visitor`);
  const started = (await says('shirt')).body.message.id;
  const { body: message } = await call<Started>('GET', `/messages/${started}`);
  expect(message.routed_to).toMatchObject({ to: 'flow', flow_id: flow.id, by: 'keyword' });
  const runId = message.routed_to.run_id;
  const readRun = async () => (await call<Run>('GET', `/runs/${runId}`)).body;
  const untilRun = (expected: Partial<Run>) =>
    vi.waitFor(async () => expect(await readRun()).toMatchObject(expected), soon);

  await untilRun({ block_id: 'size', waiting: 'reply' });
  await says('m');
  await untilRun({ block_id: 'paid', waiting: 'event' });
  await call('PUT', `/contacts/${contactId}/tags/paid`);
  await untilRun({ block_id: 'person', waiting: 'handover' });
  const { body: open } = await call<{ data: { id: string; reason: string }[] }>('GET', '/handovers?status=open');
  expect(open.data).toMatchObject([{ reason: 'A receipt for Ada', requested_by: 'flow' }]);
  await call('POST', `/handovers/${open.data[0]?.id}/resolve`, { outcome: 'Sent.' });
  await untilRun({ status: 'completed', reason: null });

  expect(shop.requests.map(({ method, path, rawBody }) => [method, path, rawBody.toString()])).toEqual([
    ['GET', `/stock/M?of=${contactId}`, ''],
    ['POST', '/orders', '{"size": "M", "of": 3, "by": "Ada"}'],
    ['PUT', '/orders/A-1', 'coupon=FOR-A-1'],
    ['DELETE', `/carts/${contactId}`, ''],
  ]);
  for (const { headers } of shop.requests)
    expect(headers).toMatchObject({ 'x-run': runId, authorization: 'Bearer sk_live_4711' });
  expect(shop.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
    ['stock', 'order', 'confirm', 'remove'].map((block) => `${runId}:${block}:1`),
  );
  const { body: contact } = await call<{ tags: string[] }>('GET', `/contacts/${contactId}`);
  expect(contact).toMatchObject({ custom_fields: { size: 'M', left: 3, order_number: 'A-1' } });
  expect(contact).not.toHaveProperty('custom_fields.coupon');
  expect(contact.tags.toSorted()).toEqual(['buyer', 'paid']);

  await app.waitFor(3);
  expect(app.requests.map((sent) => jsonOf(sent).message.text)).toEqual(['Hello Ada', 'Which size?', 'Thanks for A-1']);
  for (const { rawBody, headers } of app.requests)
    expect(verifySignature(rawBody, channel.secret, headers['x-service-signature'])).toBe(true);

  const told = (path: string, name: string) =>
    hooks.requests.filter((sent) => sent.path === path && jsonOf(sent).event === name);
  const completed = (path: string) => told(path, 'flow_completed');
  await hooks.waitFor(() => completed('/a').length === 2 && completed('/b').length === 2, soon.timeout);
  const flows = [
    { id: thanks.id, name: 'Thanks' },
    { id: flow.id, name: 'Shirts' },
  ];
  expect(completed('/a').map((sent) => jsonOf(sent).data)).toEqual(
    expect.arrayContaining(flows.map((each) => expect.objectContaining({ contact_id: contactId, flow: each }))),
  );
  expect(completed('/b').map(jsonOf)).toEqual(
    expect.arrayContaining(flows.map((each) => expect.objectContaining({ contact_id: contactId, flow: each }))),
  );
  await hooks.waitFor(() => told('/a', 'conversation_closed').length === 1, soon.timeout);
  const closed = told('/a', 'conversation_closed');
  expect(closed.map((sent) => jsonOf(sent).data)).toMatchObject([
    { contact_id: contactId, channel: 'api', conversation: { id: message.conversation_id } },
  ]);
  expect(told('/b', 'conversation_closed')).toEqual([]);
  const { body: conversation } = await call<object>('GET', `/conversations/${message.conversation_id}`);
  expect(conversation).toMatchObject({ status: 'closed', state: 'idle' });
  for (const { path, rawBody, headers } of [...completed('/a'), ...completed('/b'), ...closed]) {
    const secret = path === '/a' ? secretA : ofB.body.secret;
    expect(verifySignature(rawBody, secret, headers['x-service-signature'])).toBe(true);
  }

  const { body: steps } = await call<{ data: Step[] }>('GET', `/runs/${runId}/steps`);
  const { body: draft } = await call<{ definition: { blocks: { id: string; type: string }[] } }>(
    'GET',
    `/flows/${flow.id}/draft`,
  );
  const entered = new Set(steps.data.map(({ block_id: id }) => id));
  expect(draft.definition.blocks.map(({ id }) => id).filter((id) => !entered.has(id))).toEqual(['never']);
  expect(new Set(draft.definition.blocks.map(({ type }) => type))).toEqual(new Set(blocks.map(({ type }) => type)));
});

test("an enrolment by the API is the workflow run/… in Temporal's UI", async () => {
  const { call, createLive } = flowCalls(live.api, account);
  const delay = { id: 'pause', type: 'delay', for: 'P3D' };
  const flow = await createLive({ schema_version: 1, start: 'pause', blocks: [delay] });
  const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Bo' });
  const { body: run, status } = await call<Run>('POST', `/contacts/${contact.body.id}/flows`, { flow_id: flow.id });
  expect(status).toBe(201);
  const { client } = live.temporal;
  await vi.waitFor(async () => {
    const { details, summaries } = await shownOf(client, `run/${run.id}`);
    expect(details).toMatch(/^\*\*pause: waits until .* UTC\*\*, since .* UTC\.$/);
    expect(summaries).toContainEqual(expect.stringMatching(/^pause: waits until/));
  }, soon);
  await vi.waitFor(async () => {
    const found: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `FlowId = "${flow.id}"` })) found.push(workflowId);
    expect(found).toEqual([`run/${run.id}`]);
  }, soon);
});
