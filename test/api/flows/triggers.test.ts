import { expect, test } from 'vitest';
import { useApi } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';

const api = await useApi();

type Trigger = {
  flow_name: string;
  type: string;
  priority: number;
  words: string[] | null;
  status: string | null;
  never_wins: boolean;
  loses: { word: string | null; to_flow_name: string }[];
};

/** An account whose live flows have these triggers, by name, the oldest first; and its list of them. */
const withTriggers = async (flows: Record<string, object[]>) => {
  const { createLive, call } = flowCalls(api, await api.createAccount());
  for (const [name, triggers] of Object.entries(flows)) await createLive(aFlowDefinition({ triggers }), name);
  return (await call<{ data: Trigger[] }>('GET', '/triggers')).body.data;
};

test('live triggers are listed in the order in which they win, and other flows have none', async () => {
  const { create, call, createLive } = flowCalls(api, await api.createAccount());
  await createLive(
    aFlowDefinition({ triggers: [{ type: 'default_reply' }, { type: 'keyword', words: ['a'] }] }),
    'One',
  );
  await createLive(aFlowDefinition({ triggers: [{ type: 'keyword', words: ['b'], priority: 5 }] }), 'Two');
  await createLive(
    aFlowDefinition({ triggers: [{ type: 'keyword', words: ['c'], priority: -5, interrupt: true }] }),
    'Three',
  );
  await createLive(aFlowDefinition({ triggers: [{ type: 'keyword', words: ['d'] }, { type: 'new_contact' }] }), 'Four');
  await createLive(aFlowDefinition({ triggers: [{ type: 'tag_applied', tag: 'VIP' }] }), 'Five');
  await create(aFlowDefinition({ triggers: [{ type: 'keyword', words: ['draft'] }] }));
  const paused = await createLive(aFlowDefinition({ triggers: [{ type: 'keyword', words: ['paused'] }] }));
  await call('POST', `/flows/${paused.id}/pause`);
  const { body } = await call<{ data: Trigger[] }>('GET', '/triggers');
  expect(body.data.map((trigger) => `${trigger.type} ${trigger.words?.[0] ?? ''} ${trigger.flow_name}`)).toEqual([
    'keyword c Three',
    'keyword b Two',
    'keyword a One',
    'keyword d Four',
    'default_reply  One',
    'tag_applied  Five',
    'new_contact  Four',
  ]);
  expect(body.data[0]).toEqual({
    flow_id: expect.stringMatching(/^flow_/),
    flow_name: 'Three',
    type: 'keyword',
    priority: -5,
    match: 'exact',
    words: ['c'],
    interrupt: true,
    tag: null,
    status: null,
    never_wins: false,
    loses: [],
  });
});

test('a word that another trigger always takes before is named with the winner', async () => {
  const triggers = await withTriggers({
    Exact: [{ type: 'keyword', words: ['Shirt', 'hat'] }],
    Prefix: [{ type: 'keyword', match: 'prefix', words: ['buy'] }],
    Contains: [{ type: 'keyword', match: 'contains', words: ['help'] }],
    Late: [{ type: 'keyword', words: ['SHIRT', 'buy now', 'please help me', 'helpless', 'new'] }],
    LatePrefix: [{ type: 'keyword', match: 'prefix', words: ['hat', 'help me'] }],
    LateContains: [{ type: 'keyword', match: 'contains', words: ['buy', 'get help'] }],
    Lost: [{ type: 'keyword', words: ['shirt', 'hat'] }],
  });
  const losses = Object.fromEntries(
    triggers.map(({ flow_name: name, loses, never_wins: never }) => [
      name,
      [...loses.map(({ word, to_flow_name: to }) => `${word}: ${to}`), ...(never ? ['never wins'] : [])],
    ]),
  );
  expect(losses).toEqual({
    Exact: [],
    Prefix: [],
    Contains: [],
    Late: ['shirt: Exact', 'buy now: Prefix', 'please help me: Contains'],
    LatePrefix: ['help me: Contains'],
    LateContains: ['get help: Contains'],
    Lost: ['shirt: Exact', 'hat: Exact', 'never wins'],
  });
});

const changed = (status?: string) => ({ type: 'order_status_changed', ...(status && { status }) });

test('a start link that an earlier one always gets is named with the winner', async () => {
  const link = (more: object = {}) => ({ type: 'start_link', ...more });
  const triggers = await withTriggers({
    Prefix: [link({ payload: 'ref_', match: 'prefix', priority: 1 }), { type: 'keyword', words: ['x'], priority: 9 }],
    Late: [link({ payload: 'ref_7' }), link({ payload: 'Ref_7' })],
    Any: [link()],
    Last: [link({ payload: 'summer' })],
  });
  expect(triggers.map((trigger) => [trigger.flow_name, trigger.words, trigger.loses[0]?.to_flow_name])).toEqual([
    ['Prefix', ['ref_'], undefined],
    ['Late', ['ref_7'], 'Prefix'],
    ['Late', ['Ref_7'], undefined],
    ['Any', null, undefined],
    ['Last', ['summer'], 'Any'],
    ['Prefix', ['x'], undefined],
  ]);
  expect(triggers.filter((trigger) => trigger.never_wins).map(({ flow_name: name }) => name)).toEqual(['Late', 'Last']);
});

test('of default replies, new contacts, orders, and the same tag or status only the first can win', async () => {
  const triggers = await withTriggers({
    One: [{ type: 'default_reply' }, { type: 'new_contact' }, { type: 'tag_applied', tag: 'vip' }],
    Two: [{ type: 'default_reply', priority: 1 }, { type: 'new_contact' }, { type: 'tag_applied', tag: 'VIP' }],
    Three: [{ type: 'tag_applied', tag: 'other' }, { type: 'order_placed' }, changed('shipped'), changed()],
    Four: [{ type: 'order_placed' }, changed('Shipped'), changed('lost')],
  });
  const never = triggers.filter((trigger) => trigger.never_wins);
  expect(never.map(({ type, flow_name: name, loses }) => `${type} ${name}: ${loses[0]?.to_flow_name}`)).toEqual([
    'default_reply One: Two',
    'tag_applied Two: One',
    'new_contact Two: One',
    'order_placed Four: Three',
    'order_status_changed Four: Three',
    'order_status_changed Four: Three',
  ]);
  expect(triggers.filter(({ type }) => type.startsWith('order_status')).map(({ status }) => status)).toEqual([
    'shipped',
    null,
    'shipped',
    'lost',
  ]);
});
