import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { anOrder } from '../helpers/builders.ts';
import { useFlowApi } from '../helpers/flow-api.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver } from '../helpers/receiver.ts';

/** Ids as other systems make them: a double turns both into …6800. */
const one = '1234567890123456789';
const other = '1234567890123456788';

type WithId = { id: string };

const { world, api, key } = await useFlowApi();
beforeAll(async () => {
  for (const [name, type] of Object.entries({ crm_id: 'text', ids: 'list', raw: 'json', size: 'number' }))
    await post('/v1/custom-fields', JSON.stringify({ key: name, name, type }));
});

/** Sends a body as it is: JSON.stringify would change the numbers that are tested. */
const post = async (path: string, body: string, { method = 'POST', status = 201 } = {}) => {
  const headers = { 'content-type': 'application/json' };
  const answer = await api.request<WithId>(method, path, { key, headers, body });
  expect(answer).toMatchObject({ status });
  return answer;
};

const read = async (path: string): Promise<string> => (await api.request('GET', path, { key })).text;

test('a long id goes through a flow to another service and back with all of its digits', async () => {
  const shop = await startReceiver({ respond: { type: 'respond', body: `{"id":${one},"all":[${one},${other},7]}` } });
  onTestFinished(() => shop.close());
  const { contactId } = await world.says('ada', 'hello');
  const blocks = [
    { id: 'keep', type: 'set_field', field: 'crm_id', value: '{{params.id}}' },
    {
      id: 'ask',
      type: 'external_request',
      method: 'POST',
      url: shop.url('/things/{{params.id}}'),
      body: '{"id": {{params.id}}, "text": "{{params.id}} {{params.all}}", "all": {{params.all}}, "kept": {{crm_id}}}',
      mapping: [
        { path: '$.all[?@.id || @ == 7]', field: 'size' },
        { path: '$.id', field: 'crm_id' },
        { path: '$.all', field: 'ids' },
        { path: '$', field: 'raw' },
      ],
      next: { error: null, timeout: null },
    },
  ];
  const flowId = await aFlow(world.db, world.accountId, { blocks });
  const path = `/v1/contacts/${showId('contact', contactId)}`;
  const params = `{"id":${one},"all":[${other},0.1]}`;
  const enrolled = await post(`${path}/flows`, `{"flow_id":"${showId('flow', flowId)}","params":${params}}`);
  const run = { runId: enrolled.body.id, resumes: 0 };
  expect(await read(`/v1/runs/${run.runId}`)).toContain(`"params":{"id":${one},"all":[${other},0.1]}`);

  await world.activities.advanceRun(run);
  await world.activities.callThirdParty(run, 2);

  expect(shop.requests.map(({ path, rawBody }) => `${path} ${rawBody.toString()}`)).toEqual([
    `/things/${one} {"id": ${one}, "text": "${one} ${other}, 0.1", "all": [${other},0.1], "kept": "${one}"}`,
  ]);
  const log = await read(`/v1/runs/${run.runId}/requests`);
  expect(log).toContain(`"field":"raw","value":{"id":${one},"all":[${one},${other},7]}`);
  expect(log).toContain(`"value":["${one}","${other}","7"]`);
  const contact = await read(path);
  expect(contact).toContain(`"crm_id":"${one}"`);
  expect(contact).toContain(`"ids":["${one}","${other}","7"]`);
  expect(contact).toContain(`"raw":{"id":${one},"all":[${one},${other},7]}`);
  expect(contact).toContain('"size":7');
});

test('a number field refuses what it cannot hold, and says why', async () => {
  const reason = 'has more digits than a number can hold: only a text keeps them all';
  const body = `{"custom_fields":{"size":${one},"new_one":${one},"raw":{"id":${one}}}}`;
  const refused = await post('/v1/contacts', body, { status: 422 });
  expect(refused.body).toMatchObject({
    error: {
      details: [
        { path: 'custom_fields.size', message: reason },
        { path: 'custom_fields.new_one', message: reason },
      ],
    },
  });
  const message = `{"message_id":"m","sender":{"external_id":"bob","custom_fields":{"size":${one},"raw":${one}}},"text":"hi"}`;
  const received = await post(`/v1/channels/${showId('channel', world.channelId)}/inbound`, message, { status: 202 });
  expect(received.body).toMatchObject({ skipped_fields: [{ path: 'sender.custom_fields.size', message: reason }] });
  expect(received.text).not.toContain('raw');
});

test('metadata of orders, defaults and answers given again keep their digits', async () => {
  const { contactId } = await world.says('eve', 'hello');
  const order = JSON.stringify(anOrder(showId('contact', contactId), { metadata: { erp: 'ERP' } })).replace(
    '"ERP"',
    one,
  );
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'order-1' };
  const placed = await api.request<WithId>('POST', '/v1/orders', { key, headers, body: order });
  expect(placed.text).toContain(`"metadata":{"erp":${one}}`);
  const again = await api.request('POST', '/v1/orders', { key, headers, body: order });
  expect(again).toMatchObject({ text: placed.text, headers: { 'idempotent-replayed': 'true' } });
  const another = await api.request('POST', '/v1/orders', { key, headers, body: order.replace(one, other) });
  expect(another.status).toBe(422);
  expect(await read(`/v1/orders/${placed.body.id}`)).toContain(`"metadata":{"erp":${one}}`);
  const field = await post('/v1/custom-fields', `{"key":"tree","name":"Tree","type":"json","default":[${one}]}`);
  expect(await read(`/v1/custom-fields/${field.body.id}`)).toContain(`"default":[${one}]`);
});

test('a number of more digits than anything can store is refused by its path', async () => {
  const refused = await post('/v1/contacts', '{"custom_fields":{"raw":{"id":1e400}}}', { status: 422 });
  expect(refused.body).toMatchObject({
    error: { details: [{ path: 'custom_fields.raw.id', message: 'is a number of more than 400 digits' }, {}] },
  });
});
