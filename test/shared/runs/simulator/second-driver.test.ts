import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createField } from '../../../../src/shared/custom-fields/manage.ts';
import { showId } from '../../../../src/shared/ids.ts';
import type { Next } from '../../../../src/shared/runs/types.ts';
import { aField } from '../../../helpers/block-context.ts';
import { startFlowWorld, type FlowWorld } from '../../../helpers/flow-world.ts';
import { aFlow, type FlowBlocks } from '../../../helpers/live-flows.ts';
import { startReceiver, type Receiver } from '../../../helpers/receiver.ts';
import { ageCalls } from '../../../helpers/states/calls.ts';
import type { MockAnswer, Simulated, SimulatedInput } from '../../../../src/shared/runs/simulator/simulation.ts';
import { simulated } from '../../../helpers/simulations.ts';
import { untold } from '../../../helpers/untold.ts';

const fields = [aField('size', 'text'), aField('left', 'number')];

/** The reference flow: a message, an ask, a wait, a request whose answer is mapped, a condition, and what comes of it. */
const blocksWith = (url: string): FlowBlocks => [
  { id: 'hello', type: 'send', messages: [{ text: 'Hello' }, { text: 'Ask us about shirts' }] },
  {
    id: 'size',
    type: 'ask',
    prompt: 'Which size?',
    retry_text: 'S, M or L?',
    expects: 'choice',
    choices: ['S', 'M', 'L'],
    save_to: 'size',
    retries: 1,
    timeout: 'PT1H',
    next: { invalid: 'sorry', timeout: 'sorry', failed: null },
  },
  { id: 'mark', type: 'add_tag', tag: 'asked' },
  { id: 'pause', type: 'delay', for: 'PT2H' },
  {
    id: 'stock',
    type: 'external_request',
    method: 'POST',
    url,
    body: '{"size": "{{size}}"}',
    attempts: 2,
    mapping: [{ path: '$.left', field: 'left' }],
    next: { error: 'sorry', timeout: 'sorry' },
  },
  {
    id: 'enough',
    type: 'condition',
    rules: [{ field: 'left', op: 'gte', value: 1 }],
    next: { true: 'told', false: 'sorry' },
  },
  {
    id: 'told',
    type: 'send',
    messages: [{ text: '{{left}} of size {{size}}' }],
    next: { default: null, failed: null },
  },
  { id: 'sorry', type: 'send', messages: [{ text: 'Sorry: {{size|default:"?"}}' }], next: { failed: null } },
];

type Act = { says: readonly string[] } | 'timer';

const scenarios: Readonly<Record<string, { acts: readonly Act[]; answers?: readonly [number, string][] }>> = {
  'an answer, and enough in stock': { acts: [{ says: ['M'] }, 'timer'], answers: [[200, '{"left": 3}']] },
  'an answer by its number after an invalid one, and nothing in stock': {
    acts: [{ says: ['huge'] }, { says: ['2'] }, 'timer'],
    answers: [[200, '{"left": 0}']],
  },
  'two invalid answers at once': { acts: [{ says: ['huge', 'tiny'] }] },
  'no answer': { acts: ['timer'] },
  'a message during the wait': {
    acts: [{ says: ['L'] }, { says: ['hello?'] }, 'timer'],
    answers: [[200, '{"left": 1}']],
  },
  'a request that is repeated': {
    acts: [{ says: ['S'] }, 'timer'],
    answers: [
      [503, ''],
      [200, '{"left": 2}'],
    ],
  },
  'a request that fails': { acts: [{ says: ['S'] }, 'timer'], answers: [[404, '']] },
  'a response that cannot be mapped': { acts: [{ says: ['S'] }, 'timer'], answers: [[200, '{"left": "many"}']] },
};

let world: FlowWorld;
let shop: Receiver;
beforeAll(async () => {
  world = await startFlowWorld();
  for (const { key, name, type } of fields) await createField(untold(world.db), world.accountId, { key, name, type });
});
afterAll(() => world.stop());
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
});

/** What follows a pass, by the minute: the database's clock goes on between two passes. */
const shown = (next: { type: string } & Partial<Next>) => {
  const { type, step, blockId, waiting, dueInMs, status, reason } = next as Record<string, unknown>;
  const dueInMinutes = typeof dueInMs === 'number' ? Math.ceil(dueInMs / 60_000) : undefined;
  return { type, step, blockId, waiting, dueInMinutes, status, reason };
};

type Told = {
  nexts: unknown[];
  texts: string[];
  steps: unknown[];
  requests: unknown[];
  fields: unknown;
  tags: unknown;
};

const byRows = async (acts: readonly Act[], answers: readonly [number, string][]): Promise<Told> => {
  shop.respondWith((_request, index) => {
    const [status, body] = answers[index] ?? [500, ''];
    return { type: 'respond', status, body };
  });
  const sender = `sender-${Math.random()}`;
  const { contactId } = await world.says(sender, 'hello');
  const flowId = await aFlow(world.db, world.accountId, { blocks: blocksWith(shop.url('/stock')) });
  const runId = await world.enrol(contactId, flowId);
  const goOn = async (due?: number) => {
    let next = await world.advance(runId, due);
    while (next.type === 'call') {
      const run = { runId: showId('run', runId), resumes: 0 };
      const { retryInMs } = await world.activities.callThirdParty(run, next.step);
      if (retryInMs !== undefined) await ageCalls(world.db, runId, { seconds: retryInMs / 1_000 });
      next = await world.advance(runId);
    }
    return next;
  };
  const nexts = [await goOn()];
  for (const act of acts) {
    if (act !== 'timer') for (const text of act.says) await world.says(sender, text);
    const before = nexts.at(-1);
    nexts.push(await goOn(act === 'timer' && before?.type === 'wait' ? before.step : undefined));
  }
  const [contact] = await world.db<{ fields: unknown; tags: unknown }[]>`
    select custom_fields as fields, array(select name from contact_tags join tags on id = tag_id where contact_id = c.id) as tags
    from contacts c where id = ${contactId}`;
  const steps = await world.db`
    select number, block_id, visit, status, port, reason, tries from run_steps where run_id = ${runId} order by number`;
  return {
    nexts: nexts.map(shown),
    texts: await world.sentTo(contactId),
    steps: [...steps],
    requests: shop.requests.map(({ method, rawBody }) => [method, rawBody.toString()]),
    fields: contact?.fields,
    tags: contact?.tags,
  };
};

/** What follows the acts of a simulation, as the engine says it of a pass. */
const nextOf = ({ status, waiting, reason, blockId, wakeAt, now, steps }: Simulated) => {
  if (status !== 'waiting')
    return shown({
      type: 'over',
      status,
      ...(reason !== null && { reason }),
      ...(status === 'failed' && { blockId }),
    } as never);
  const dueInMs = wakeAt ? wakeAt.getTime() - now.getTime() : undefined;
  return shown({ type: 'wait', step: steps.at(-1)?.number, blockId, waiting, dueInMs } as never);
};

const bySimulation = async (acts: readonly Act[], answers: readonly [number, string][]): Promise<Told> => {
  const mock = answers.map(([status, body]): MockAnswer => ({ status, body }));
  const inputs: SimulatedInput[] = [];
  const results: Simulated[] = [];
  const goOn = async () =>
    results.push(
      await simulated({
        blocks: blocksWith(shop.url('/stock')),
        fields,
        inputs,
        mocks: mock.length > 0 ? { stock: [mock] } : {},
      }),
    );
  await goOn();
  for (const act of acts) {
    const last = results.at(-1);
    if (act !== 'timer') inputs.push(...act.says.map((text) => ({ type: 'text', text }) as const));
    else inputs.push({ type: 'after', ms: (last?.wakeAt?.getTime() ?? 0) - (last?.now.getTime() ?? 0) });
    await goOn();
  }
  const { messages, steps, requests, contact } = results.at(-1) ?? expect.fail('no act');
  return {
    nexts: results.map(nextOf),
    texts: messages.map(({ text }) => text),
    steps: steps.map(({ enteredAt: _entered, leftAt: _left, run: _run, order: _order, ...step }) => step),
    requests: requests.map(({ method, requestBody }) => [method, requestBody]),
    fields: contact.fields,
    tags: contact.tags,
  };
};

describe.each(Object.entries(scenarios))('%s', (_name, { acts, answers = [] }) => {
  test('a simulation goes the way that a run goes by its rows', async () => {
    const driven = await bySimulation(acts, answers);
    expect(driven).toEqual(await byRows(acts, answers));
    expect(driven.nexts.at(-1)).toMatchObject({ type: 'over' });
  });
});
