import * as fc from 'fast-check';

const field = fc.constantFrom('note', 'amount', 'likes', 'last_name');
/** Tags that flows and acts apply. */
export const tag = fc.constantFrom('vip', 'VIP', 'hot', 'asked');
const template = fc.constantFrom(
  'Hello {{first_name|default:"you"}}',
  '{{note|upper}} and {{amount}}',
  '{{reply.text|trim}} {{reply.attachment.latitude|default:"nowhere"}}',
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

/** How the request of a block is answered: at once, not found, at the second attempt, or by a lost connection. */
const answerKinds = ['200', '404', 'later', 'reset'] as const;

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

/** Blocks of all types that need no other flow, without their places. `url` makes an address of the other service. */
export const generatedBlock = (url: (path: string) => string) =>
  fc.oneof(
    fc.record({
      type: fc.constant('send'),
      messages: fc.array(fc.record({ text: template }), { minLength: 1, maxLength: 2 }),
    }),
    {
      weight: 5,
      arbitrary: fc.record(
        {
          type: fc.constant('ask'),
          prompt: template,
          expects: fc.constantFrom('text', 'number', 'any', 'email', 'location'),
          retries: fc.nat(2),
          save_to: fc.constantFrom('note', 'last_name'),
          early: fc.constantFrom('take', 'ignore'),
          timeout: fc.constantFrom('PT1H3M', 'P2DT5M'),
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
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('delay'), for: fc.constantFrom('PT7M', 'PT3H11M') }),
    },
    fc.record(
      {
        type: fc.constant('delay'),
        for: fc.constantFrom('PT9M', 'PT26H'),
        window: fc.record(
          {
            days: fc.subarray(['monday', 'wednesday', 'saturday', 'sunday'], { minLength: 1 }),
            from: fc.constantFrom('02:30', '09:00', '22:00'),
            to: fc.constantFrom('03:00', '17:00'),
          },
          { requiredKeys: ['from', 'to'] },
        ),
      },
      { requiredKeys: ['type', 'window'] },
    ),
    // One has passed, one is too far ahead, and one is no time unless a contact has written one.
    fc.record({
      type: fc.constant('delay'),
      until: fc.constantFrom('2020-01-01T00:00:00Z', '2999-01-01', '{{note|default:"2020-01-01"}}'),
    }),
    fc.constant({ type: 'goto' }),
    fc.record({ type: fc.constant('set_field'), field, value: template }),
    fc.record({
      type: fc.constant('set_field'),
      field: fc.constant('time_zone'),
      value: fc.constantFrom('Asia/Kolkata', 'America/New_York', 'Europe/Berlin'),
    }),
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
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('wait_event'),
        event: fc.constant('tag_applied'),
        rules: tag.map((name) => [{ field: 'event.tag.name', op: 'is', value: name }]),
        fresh: fc.boolean(),
        timeout: fc.constantFrom('PT2H1M', 'P3DT17M'),
      }),
    },
    fc.record(
      {
        type: fc.constant('handover'),
        reason: fc.constant('Help'),
        wait: fc.boolean(),
        timeout: fc.constantFrom('PT5H13M', 'P4DT19M'),
      },
      { requiredKeys: ['type', 'reason', 'wait'] },
    ),
    fc.record({ type: fc.constantFrom('close_conversation', 'end') }),
  );
