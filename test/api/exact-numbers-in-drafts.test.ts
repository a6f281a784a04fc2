import { beforeAll, expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { aFlowDefinition, flowCalls, type FlowDraft } from '../helpers/flows.ts';

const api = await useApi();
let calls: ReturnType<typeof flowCalls>;
let key: string;
let flow: string;

beforeAll(async () => {
  const account = await api.createAccount();
  key = account.apiKey;
  calls = flowCalls(api, account);
  flow = (await calls.create()).id;
  await calls.call('POST', '/custom-fields', { key: 'crm_id', name: 'CRM', type: 'text' });
});

const long = '1234567890123456789';

/** Saves a draft of one block, with the long number in the place of "LONG". JSON.stringify would change it. */
const save = (block: object) => {
  const definition = aFlowDefinition({ blocks: [{ id: 'a', ...block }] });
  const body = JSON.stringify({ definition }).replaceAll('"LONG"', long);
  const headers = { 'content-type': 'application/json' };
  return api.request<FlowDraft>('PUT', `/v1/flows/${flow}/draft`, { key, headers, body });
};

const asValue = 'has more digits than a number can hold: put it in quotes';
const asText = 'must be a string: put it in quotes';
const asNumber = 'has more digits than a number can hold';
const next = { error: null, timeout: null, failed: null, false: null };

test.for([
  ['a rule', { type: 'condition', rules: [{ field: 'crm_id', op: 'is', value: 'LONG' }] }, 'rules.0.value', asValue],
  ['set_field', { type: 'set_field', field: 'crm_id', value: 'LONG' }, 'value', asValue],
  ['a message', { type: 'send', messages: [{ text: 'LONG' }] }, 'messages.0.text', asText],
  ['a choice', { type: 'ask', prompt: 'Which?', expects: 'choice', choices: ['LONG'] }, 'choices.0', asText],
  ['a tag', { type: 'add_tag', tag: 'LONG' }, 'tag', asText],
  ['a weight', { type: 'split', weights: { a: 'LONG', b: 1 } }, 'weights.a', asNumber],
  ['a body', { type: 'external_request', method: 'POST', url: 'https://a.example/', body: 'LONG' }, 'body', asText],
  ['parameters', { type: 'start_flow', flow_id: 'x', params: { id: 'LONG' } }, 'params.id', asValue],
] as const)(
  'an issue of %s names the place of a number without quotes that is too long',
  async ([, block, path, message]) => {
    const { status, body, text } = await save({ ...block, next });
    expect(status).toBe(200);
    expect(body.issues).toContainEqual(expect.objectContaining({ block_id: 'a', path: `blocks.0.${path}`, message }));
    expect(text).toContain(long);
  },
);
