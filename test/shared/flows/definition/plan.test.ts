import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../../../src/shared/flows/definition/definition.ts';
import { planOf, type Plan } from '../../../../src/shared/flows/definition/plan.ts';
import { usesOf } from '../../../../src/shared/flows/definition/uses.ts';
import { aDefinition } from '../../../helpers/definitions.ts';

const flowId = 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn';

const definition = parseDefinition(
  aDefinition(
    [
      {
        id: 'ask',
        type: 'ask',
        prompt: '{{contact.custom_fields.shop}} {{first_name}} {{params.x}} {{size}}',
        save_to: 'size',
        next: { timeout: null },
      },
      {
        id: 'if',
        type: 'condition',
        rules: [
          { field: 'likes', op: 'contains', value: '{{colour}}' },
          { field: 'tags', op: 'has_tag', value: 'VIP' },
        ],
        next: { false: 'wait' },
      },
      { id: 'back', type: 'goto', block: 'ask' },
      { id: 'wait', type: 'wait_event', event: 'tag_applied', next: { received: 'call' } },
      {
        id: 'call',
        type: 'external_request',
        method: 'POST',
        url: 'https://a.example/',
        credential: 'shop',
        body: '"{{credential.crm}}"',
        mapping: [
          { path: '$', field: 'email' },
          { path: '$', field: 'left' },
        ],
      },
      { id: 'other', type: 'start_flow', flow_id: flowId },
    ],
    { triggers: [{ type: 'tag_applied', tag: 'New' }] },
  ),
);

describe('where ports lead', () => {
  const plan: Plan = planOf(definition);

  test.for([
    ['ask', 'answered', { block: 'if' }],
    ['ask', 'timeout', 'completes'],
    ['ask', 'invalid', 'fails'],
    ['ask', 'failed', 'fails'],
    ['if', 'true', { block: 'back' }],
    ['if', 'false', { block: 'wait' }],
    ['back', 'default', { block: 'ask' }],
    ['wait', 'received', { block: 'call' }],
    ['wait', 'timeout', 'fails'],
    ['call', 'success', { block: 'other' }],
    ['other', 'default', 'completes'],
    ['other', 'nothing', 'fails'],
  ] as const)('%s, %s: %j', ([block, port, target]) => {
    expect(plan.targetOf(block, port)).toEqual(target);
  });

  test('the plan has the blocks, where they begin, and the events that they wait for', () => {
    expect(plan.start).toBe('ask');
    expect(plan.get('if').block.type).toBe('condition');
    expect(plan.listens).toEqual(['tag_applied']);
    expect(() => plan.get('constructor')).toThrow('the flow has no block constructor');
  });
});

test('what a definition uses is listed once: in fields, templates, rules, mappings and triggers', () => {
  expect(usesOf(definition)).toEqual([
    'credential:crm',
    'credential:shop',
    'field:colour',
    'field:left',
    'field:likes',
    'field:shop',
    'field:size',
    'flow:01934df1-dde5-722c-b17f-60e2184e8675',
    'tag:new',
    'tag:vip',
  ]);
});

test('the placeholders of an item use no field, and the list that they come from does', () => {
  const each = { for_each: { items: '{{cart}}' }, url: 'https://shop.example/{{item.id}}/{{index}}/{{size}}' };
  const block = { id: 'call', type: 'external_request', method: 'GET', ...each };
  expect(usesOf(parseDefinition(aDefinition([block])))).toEqual(['field:cart', 'field:size']);
});

test('a definition with a block of an unknown type is not read', () => {
  expect(() => parseDefinition(aDefinition([{ id: 'x', type: 'constructor' }]))).toThrow('unknown type constructor');
});
