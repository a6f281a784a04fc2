import * as fc from 'fast-check';
import type { FlowBlocks } from '../../../helpers/live-flows.ts';

/** What an act does: what a contact says, a tag that it gets, the next timer, or the end of its handover. */
export type Act = { type: 'says'; text: string } | { type: 'tag'; name: string } | { type: 'timer' | 'resolve' };

/** A flow of blocks of all types that need no other flow; `url` leads to the other service. */
export type GeneratedFlow = { blocks: FlowBlocks; triggers: object[]; reentry: 'one_active' | 'allow' };

const field = fc.constantFrom('note', 'amount', 'likes', 'last_name');
const tag = fc.constantFrom('vip', 'VIP', 'hot', 'asked');
const template = fc.constantFrom(
  'Hello {{first_name|default:"you"}}',
  '{{note|upper}} and {{amount}}',
  '{{reply.text|trim}}',
  '{{event.tag.name|default:"no tag"}}',
  '{{params.sku|default:"-"}} {{last_name}}',
  '{{amount|default:"none"}} {{likes|json}}',
);
const rule = fc.oneof(
  fc.record({ field: fc.constant('amount'), op: fc.constantFrom('gt', 'lte'), value: fc.nat(5) }),
  fc.record({ field: fc.constantFrom('note', 'last_name'), op: fc.constantFrom('is_set', 'not_set') }),
  fc.record({
    field: fc.constantFrom('note', 'reply.text'),
    op: fc.constantFrom('is', 'contains'),
    value: fc.constantFrom('M', '7'),
  }),
  fc.record({ field: fc.constant('tags'), op: fc.constant('has_tag'), value: tag }),
);

/** How the request of a block is answered: at once, not found, or at the second attempt. */
const answerKinds = ['200', '404', 'later'] as const;

const successWhen = fc.record({
  match: fc.constantFrom('all', 'any'),
  rules: fc.array(
    fc.oneof(
      fc.record({ path: fc.constant('$.left'), op: fc.constantFrom('gt', 'is'), value: fc.nat(5) }),
      fc.record({
        path: fc.constant('$status'),
        op: fc.constantFrom('is', 'is_not'),
        value: fc.constantFrom(200, 404),
      }),
      fc.record({ path: fc.constantFrom('$.none', '$body'), op: fc.constantFrom('is_set', 'not_set') }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

/** The blocks by their types, without their places; ports that are named lead somewhere. */
const kinds = (url: (path: string) => string) =>
  fc.oneof(
    fc.record({
      type: fc.constant('send'),
      messages: fc.array(fc.record({ text: template }), { minLength: 1, maxLength: 2 }),
    }),
    {
      weight: 3,
      arbitrary: fc.record(
        {
          type: fc.constant('ask'),
          prompt: template,
          expects: fc.constantFrom('text', 'number', 'any', 'email'),
          retries: fc.nat(2),
          save_to: fc.constantFrom('note', 'last_name'),
          early: fc.constantFrom('take', 'ignore'),
          timeout: fc.constantFrom('PT1H', 'P2D'),
        },
        { requiredKeys: ['type', 'prompt', 'expects', 'retries'] },
      ),
    },
    fc.record({
      type: fc.constant('ask'),
      prompt: template,
      expects: fc.constant('choice'),
      choices: fc.constant(['S', 'M', '7']),
      save_to: fc.constant('note'),
    }),
    fc.record({
      type: fc.constant('condition'),
      match: fc.constantFrom('all', 'any'),
      rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ type: fc.constant('delay'), for: fc.constantFrom('PT1S', 'PT3H') }),
    fc.record({ type: fc.constant('set_field'), field, value: template }),
    fc.record({
      type: fc.constant('set_field'),
      field: fc.constant('amount'),
      op: fc.constant('increment'),
      value: fc.nat(4),
    }),
    fc.record({
      type: fc.constant('set_field'),
      field: fc.constant('likes'),
      op: fc.constantFrom('append', 'remove'),
      value: fc.constantFrom('a', 'b'),
    }),
    fc.record({ type: fc.constant('clear_field'), field }),
    fc.record({ type: fc.constantFrom('add_tag', 'remove_tag'), tag }),
    fc.record({ type: fc.constant('split'), weights: fc.constant({ a: 1, b: 1 }) }),
    fc.record(
      {
        type: fc.constant('external_request'),
        method: fc.constantFrom('GET', 'POST'),
        url: fc.tuple(fc.constantFrom(...answerKinds), fc.nat(5)).map(([kind, left]) => url(`/${kind}/${left}`)),
        attempts: fc.constantFrom(1, 2, 5),
        retry: fc.record(
          { first_wait: fc.constantFrom('PT2S', 'PT1M'), statuses: fc.subarray([200, 404, 503]) },
          { requiredKeys: [] },
        ),
        success_when: successWhen,
        mapping: fc.constant([{ path: '$.left', field: 'amount' }]),
        error_mapping: fc.constant([{ path: '$status', field: 'note' }]),
      },
      { requiredKeys: ['type', 'method', 'url', 'attempts', 'mapping', 'error_mapping'] },
    ),
    fc.record(
      {
        type: fc.constant('external_request'),
        method: fc.constantFrom('GET', 'POST'),
        url: fc.constantFrom(...answerKinds).map((kind) => `${url(`/${kind}/7`)}?item={{item}}&at={{index}}`),
        attempts: fc.constantFrom(1, 2),
        for_each: fc.record({
          items: fc.constantFrom('{{params.counts}}', '{{likes}}', '{{params.sku}}', '[1, 200, ""]'),
          on_error: fc.constantFrom('stop', 'continue'),
        }),
        success_when: successWhen,
        mapping: fc.constant([{ path: '$.left', field: 'likes' }]),
        error_mapping: fc.constant([{ path: '$status', field: 'codes' }]),
      },
      { requiredKeys: ['type', 'method', 'url', 'attempts', 'for_each', 'mapping', 'error_mapping'] },
    ),
    fc.record({
      type: fc.constant('wait_event'),
      event: fc.constant('tag_applied'),
      rules: tag.map((name) => [{ field: 'event.tag.name', op: 'is', value: name }]),
      // The clock of the rows stands still while a timer fires: an event after it would be older than its block.
      fresh: fc.constant(false),
      timeout: fc.constantFrom('PT2H', 'P3D'),
    }),
    fc.record({ type: fc.constant('handover'), reason: fc.constant('Help'), wait: fc.boolean() }),
    fc.record({ type: fc.constantFrom('close_conversation', 'end') }),
  );

const portsOf: Readonly<Record<string, readonly string[]>> = {
  send: ['default', 'failed'],
  ask: ['answered', 'invalid', 'timeout', 'failed'],
  condition: ['true', 'false'],
  split: ['a', 'b'],
  external_request: ['success', 'error', 'timeout'],
  wait_event: ['received', 'timeout'],
  handover: ['resolved'],
  end: [],
};

const waiting = new Set(['ask', 'delay', 'wait_event']);

/** Blocks that do not wait lead only forward, and no failure leads anywhere, so that no circle is without a wait. `places` say where each port leads. */
const place = (blocks: readonly { type: string }[], places: readonly number[]): FlowBlocks =>
  blocks.map((block, index) => {
    const first = waiting.has(block.type) ? 0 : index + 1;
    const next = (portsOf[block.type] ?? ['default']).map((port, number) => {
      const target = first + ((places[(index * 4 + number) % places.length] ?? 0) % (blocks.length - first + 1));
      return [port, port === 'failed' || target >= blocks.length ? null : `b${target}`];
    });
    return { ...block, id: `b${index}`, next: Object.fromEntries(next) };
  });

const trigger = fc.oneof(
  fc.record({
    type: fc.constant('keyword'),
    match: fc.constantFrom('exact', 'contains'),
    words: fc.constant(['go']),
    interrupt: fc.boolean(),
  }),
  fc.constant({ type: 'default_reply' }),
  fc.constant({ type: 'tag_applied', tag: 'hot' }),
);

/** Flows of up to ten blocks. */
export const generatedFlow = (url: (path: string) => string): fc.Arbitrary<GeneratedFlow> =>
  fc.record({
    blocks: fc
      .tuple(
        fc.array(kinds(url), { minLength: 1, maxLength: 10 }),
        fc.array(fc.nat(30), { minLength: 40, maxLength: 40 }),
      )
      .map(([blocks, places]) => place(blocks, places)),
    triggers: fc.array(trigger, { maxLength: 3 }),
    reentry: fc.constantFrom('one_active', 'allow'),
  });

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('says' as const),
      text: fc.constantFrom('M', '7', ' 7. ', 'ada@example.com', 'go', 'go', 'go', 'human', 'what?', 'stop', 'start'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('tag' as const), name: tag }) },
  { weight: 3, arbitrary: fc.constant({ type: 'timer' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'resolve' as const }) },
);

/** What happens to a contact in a flow. */
export const generatedActs: fc.Arbitrary<Act[]> = fc.array(act, { maxLength: 14 });
