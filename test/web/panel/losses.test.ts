import { expect, test } from 'vitest';
import { findDraftLosses, type LiveTriggers } from '../../../src/web/pages/flows/panel/start/losses.ts';
import { startApi } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';

/** The same numbers each time. */
const createRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

const vocabulary = ['Shirt', 'shirt', 'red shirt', 'SHIRT!', 'hat', 'ä', 'help', 'Help me'];

const triggersOf = (random: (below: number) => number): object[] =>
  Array.from({ length: 1 + random(4) }, () => {
    const words = Array.from({ length: 1 + random(3) }, () => vocabulary[random(vocabulary.length)]);
    const priority = random(3) - 1;
    const match = ['exact', 'contains', 'prefix'][random(3)];
    const kinds = [
      { type: 'keyword', match, words, priority, interrupt: random(4) === 0 },
      { type: 'keyword', words },
      {
        type: 'start_link',
        priority,
        ...(random(3) > 0 && { payload: ['a', 'ab', 'b'][random(3)], match: ['exact', 'prefix'][random(2)] }),
      },
      { type: 'default_reply', priority },
      { type: 'tag_applied', tag: ['VIP', 'vip', 'other'][random(3)] },
      { type: 'order_status_changed', ...(random(2) === 0 && { status: 'shipped' }) },
      { type: 'new_contact' },
      { type: 'api' },
    ];
    return kinds[random(kinds.length)] ?? { type: 'api' };
  });

test('the page names who wins over a draft before publishing as the API does afterwards', async () => {
  const api = await startApi();
  try {
    const random = createRandom(7);
    let lost = 0;
    for (let round = 0; round < 20; round += 1) {
      const { call, create, createLive, publish } = flowCalls(api, await api.createAccount());
      const triggers = triggersOf(random);
      const first = round % 2 === 0 ? undefined : await create(aFlowDefinition({ triggers }), 'Draft');
      for (const name of ['One', 'Two']) await createLive(aFlowDefinition({ triggers: triggersOf(random) }), name);
      const { id } = first ?? (await create(aFlowDefinition({ triggers }), 'Draft'));
      const { body: live } = await call<{ data: LiveTriggers }>('GET', '/triggers');
      const losses = findDraftLosses({ flowId: id, triggers }, live.data);
      await publish(id);
      const { body: after } = await call<{ data: LiveTriggers }>('GET', '/triggers');
      const own = after.data.filter(({ flow_id: flowId }) => flowId === id);
      const told = own.map(({ loses }) => loses.map(({ word, to_flow_id: to }) => ({ word, to })));
      const foretold = [...losses.values()].map((all) => all.map(({ word, flowId: to }) => ({ word, to })));
      expect(foretold).toEqual(told);
      lost += told.flat().length;
    }
    expect(lost).toBeGreaterThan(10);
  } finally {
    await api.stop();
  }
});

test('half-finished triggers of a draft lose and win nothing, and break nothing', () => {
  const triggers = [null, 'x', { type: 'keyword' }, { type: 'keyword', words: 'a' }, { type: 'nope' }, { type: [] }];
  const losses = findDraftLosses({ flowId: 'flow_1', triggers }, []);
  expect([...losses.values()].flat()).toEqual([]);
  for (const odd of [undefined, null, 'x', {}])
    expect(findDraftLosses({ flowId: 'flow_1', triggers: odd }, []).size).toBe(0);
});
