import { beforeAll, describe, expect, test } from 'vitest';
import { mapResponse } from '../../src/shared/external-requests/map-response.ts';
import { createSource } from '../../src/shared/external-requests/response-source.ts';
import { useApi } from '../helpers/api.ts';
import { anOrder } from '../helpers/builders.ts';
import { flowCalls } from '../helpers/flows.ts';
import { aField, fieldMap } from '../helpers/block-context.ts';

const api = await useApi();
let calls: ReturnType<typeof flowCalls>;
let contact: string;

beforeAll(async () => {
  calls = flowCalls(api, await api.createAccount());
  contact = (await calls.call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' })).body.id;
});

type Json = Record<string, unknown>;

const mapInto = (key: 'text' | 'list' | 'json') => async (json: Json) => {
  const options = {
    fields: fieldMap(aField(key, key)),
    timeZone: 'UTC',
    country: null,
    v: 2,
    isSuccess: true,
    holdsSecret: () => false,
  };
  const path = key === 'json' ? '$' : key === 'list' ? '$.list' : '$.text';
  const response = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)) };
  const { fields } = mapResponse([{ path, field: key, on_missing: 'error' }], createSource(response, 2), options);
  const [field] = fields;
  if (field?.outcome !== 'set') throw new Error(`not set: ${JSON.stringify(field)}`);
  return key === 'json' ? field.value : { [key]: field.value };
};

/** Where texts of others come in: each takes them, and answers what is kept. */
const places: Record<string, (json: Json) => Promise<unknown>> = {
  'an answer mapped into a text field': mapInto('text'),
  'an answer mapped into a list': mapInto('list'),
  'an answer mapped into a json field': mapInto('json'),
  'a new order': async (metadata) => {
    const order = anOrder(contact, { external_id: String(metadata['text']), number: metadata['text'], metadata });
    const { status, body } = await calls.call<{ number: string; metadata: Json }>('POST', '/orders', order);
    expect(status).toBe(200);
    expect(body.number).toBe(body.metadata['text']);
    return body.metadata;
  },
  'params of an enrollment': async (json) => {
    const flow = await calls.createLive();
    const path = `/contacts/${contact}/flows`;
    const { status, body } = await calls.call<{ id: string }>('POST', path, { flow_id: flow.id, params: json });
    expect(status).toBe(201);
    return (await calls.call<{ params: Json }>('GET', `/runs/${body.id}`)).body.params;
  },
};

describe.for(Object.entries(places))('%s', ([, keep]) => {
  test.for([
    ['NUL', 'a\0b', 'a\uFFFDb'],
    ['half a surrogate pair', 'a\uD83D', 'a\uFFFD'],
    ['the other half', '\uDE00b', '\uFFFDb'],
    ['a whole pair', '😀', '😀'],
  ] as const)('with %s is taken, with U+FFFD in its place', async ([, text, stored]) => {
    const kept = await keep({ text, list: [text, 'c'], [`key ${text}`]: { deep: [text] } });
    const whole = { text: stored, list: [stored, 'c'], [`key ${stored}`]: { deep: [stored] } };
    expect(whole).toMatchObject(kept as Json);
    expect(Object.keys(kept as Json).length).toBeGreaterThan(0);
  });
});
