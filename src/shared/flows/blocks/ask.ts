import { z } from 'zod';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import { foldStably, weightOf } from '../../typed/text.ts';
import { expectations, readAnswer, type Choice } from './answers.ts';
import { attachedExpectations, attachedNames, findAttached, isAttached } from './attached-answers.ts';
import { spend } from '../templating/budget.ts';
import { renderText } from '../templating/render.ts';
import type { Scope } from '../templating/scope.ts';
import type { Block, BlockProblem, Known, Move, TemplateUse, Wait } from './block.ts';
import { after } from './durations.ts';
import { findExcessOnChannels } from './channel-limits.ts';
import { coerceField, fieldsOf, usesField } from './fields.ts';
import { messageLimits } from './message-limits.ts';
import { asQuickReply, composeMessages } from './messages.ts';
import { blockSchema, duration, fieldName, text } from './schemas.ts';
import { scopeOf } from './scope.ts';
import { overBudget, type BlockContext, type Input } from './context.ts';

const tooLong = `must be a text of up to ${messageLimits.quickReply} characters, or have a label and a value`;

/** As long as a quick reply, or with placeholders; then as much of it is shown. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((text) => text.length <= messageLimits.quickReply || text.includes('{{'), { error: tooLong });

const choice = z.union([label, z.strictObject({ label, value: z.string().min(1).max(500) })], {
  error: ({ input }) => (input instanceof ExactNumber ? 'must be a string: put it in quotes' : tooLong),
});

const schema = blockSchema(
  'ask',
  {
    prompt: text.meta({ description: 'The question: up to 5,000 characters, with placeholders.' }),
    expects: z
      .enum([...expectations, ...attachedExpectations])
      .default('text')
      .meta({
        description:
          'The kind of answer expected; `any` accepts everything. `image`, `file` and `location` are attachments. flows.md, Blocks, has the formats.',
      }),
    choices: z.array(choice).min(1).max(50).optional().meta({
      description:
        'For `choice`: texts, or objects with `label` and `value`, which is saved; all with placeholders. An answer is the label, the value or its number. The first ten are also quick replies.',
    }),
    save_to: fieldName.optional().meta({
      description:
        'Where the answer goes: a custom field, or first_name, last_name, email, phone, language or time_zone.',
    }),
    retries: z
      .int()
      .min(0)
      .max(5)
      .default(2)
      .meta({ description: 'How often the contact is asked again after an invalid reply, before the port `invalid`.' }),
    retry_text: text.optional().meta({ description: 'The text sent then, with placeholders; the prompt if omitted.' }),
    timeout: duration.default('P7D').meta({
      description: 'How long the answer may take: ISO 8601, from PT1S to P365D; a day has 24 hours.',
    }),
    early: z.enum(['ignore', 'take']).default('ignore').meta({
      description:
        "What the contact wrote between the run's previous message and this question: `take` it for the answer, or `ignore` it.",
    }),
  },
  ['answered', 'invalid', 'timeout', 'failed'],
);

type Ask = z.output<typeof schema>;

export const ask: Block<Ask> = {
  type: 'ask',
  v: 3,
  summary: 'Asks the contact something, and waits for the answer.',
  schema,
  speaks: true,
  listens: true,
  waits: true,
  ports: () => [
    { name: 'answered', omitted: 'following' },
    { name: 'invalid', omitted: 'fails' },
    { name: 'timeout', omitted: 'fails' },
    { name: 'failed', omitted: 'fails' },
  ],
  uses: ({ save_to: field }) => (field === undefined ? [] : usesField('save_to', field)),
  templates: (config) => templatesOf(config),
  writes: ({ save_to: name, expects }) => [
    { port: 'answered', name: 'reply.text', leaves: isAttached(expects) ? 'maybe_nothing' : 'a_value' },
    { port: 'invalid', name: 'reply.text', leaves: 'a_value' },
    ...attachedExpectations.flatMap((kind) =>
      attachedNames(kind).map((of) => ({ port: 'answered', name: of, leaves: 'maybe_nothing' as const })),
    ),
    ...(isAttached(expects)
      ? attachedNames(expects, name).map((of) => ({ port: 'answered', name: of, leaves: 'a_value' as const }))
      : []),
    ...(name === undefined ? [] : [{ port: 'answered', name, leaves: 'a_value' as const }]),
  ],
  check: (config, known) => [...findChoiceProblems(config), ...findExcess(config, known)],
  enter: (config, context) =>
    say(config, context, { prompt: config.prompt, wait: { until: after(context.now, config.timeout) } }),
  resume: (config, context, input) => {
    if (input.type === 'due') return { type: 'go', port: 'timeout' };
    return input.type === 'reply' ? answer(config, context, input) : undefined;
  },
};

const templatesOf = ({ prompt, retry_text: retryText, choices = [] }: Ask): TemplateUse[] => {
  const text = (path: string, template: string): TemplateUse => ({ path, template, place: 'text' });
  return [
    text('prompt', prompt),
    ...(retryText === undefined ? [] : [text('retry_text', retryText)]),
    ...choices.flatMap((choice, index) =>
      typeof choice === 'string'
        ? [text(`choices.${index}`, choice)]
        : [text(`choices.${index}.label`, choice.label), text(`choices.${index}.value`, choice.value)],
    ),
  ];
};

type Asking = { prompt: string; wait: Pick<Wait, 'until' | 'tried'> };

/** Asks, and waits: until the timeout after the prompt, which asking again does not put off. */
const say = (config: Ask, context: BlockContext, { prompt, wait }: Asking): Move => {
  const scope = scopeOf(context);
  const quickReplies = choicesOf(config, scope)
    .map((choice) => choice.label)
    .slice(0, messageLimits.quickReplies);
  const composed = composeMessages([{ text: prompt }], scope);
  if (!composed.ok) return { type: 'go', port: 'failed', reason: composed.reason };
  const messages = composed.messages.map((message) => ({
    ...message,
    ...(quickReplies.length > 0 && { quickReplies }),
  }));
  const early = config.early === 'take' && ({ early: true } as const);
  return { type: 'wait', for: 'reply', ...wait, ...early, effects: [{ type: 'send', messages }] };
};

const answer = (
  config: Ask,
  context: BlockContext,
  { text: reply, attachments = [] }: Extract<Input, { type: 'reply' }>,
): Move => {
  const scope = scopeOf(context);
  const choices = choicesOf(config, scope);
  const compared = [reply, ...choices.flatMap(({ label, value }) => [label, value])];
  if (!compared.every((text) => spend(scope.budget, weightOf(text)))) return overBudget;
  const { save_to: key, expects } = config;
  const attached = isAttached(expects) ? findAttached(expects, attachments) : undefined;
  const reads = isAttached(expects)
    ? attached?.value
    : readAnswer(expects, reply, { choices, country: context.account.defaultCountry, v: context.v });
  const field = reads === undefined || key === undefined ? undefined : coerceField(fieldsOf(context), key, reads);
  const attachment = attached?.attachment ?? attachments[0];
  const heard = { type: 'set_reply', text: reply, ...(attachment && { attachment }) } as const;
  if (reads !== undefined && field?.ok !== false) {
    const saved = field && key !== undefined ? [{ type: 'set_field', key, value: field.value } as const] : [];
    return { type: 'go', port: 'answered', effects: [heard, ...saved] };
  }
  if (context.step.tries >= config.retries) return { type: 'go', port: 'invalid', effects: [heard] };
  return say(config, context, { prompt: config.retry_text ?? config.prompt, wait: { tried: true } });
};

/** The choices as the contact sees them; one whose label shows nothing is none. */
const choicesOf = (config: Ask, scope: Scope): Choice[] => {
  const shown = (template: string): string => {
    const rendered = renderText(template, scope);
    return rendered.ok ? rendered.text.trim() : '';
  };
  return writtenChoices(config).flatMap(({ label: template, value }) => {
    const [label] = asQuickReply(shown(template));
    return label === undefined ? [] : [{ label, value: shown(value) || label }];
  });
};

const writtenChoices = ({ expects, choices }: Ask): Choice[] =>
  expects === 'choice'
    ? (choices ?? []).map((choice) => (typeof choice === 'string' ? { label: choice, value: choice } : choice))
    : [];

/** As quick replies, only the first choices are shown. */
const findExcess = (config: Ask, known: Known): BlockProblem[] => {
  const templates = writtenChoices(config)
    .map((choice) => choice.label)
    .slice(0, messageLimits.quickReplies);
  const { prompt, retry_text: retryText } = config;
  const quickReplies = { path: 'choices', templates };
  return findExcessOnChannels(
    [
      { text: { path: 'prompt', template: prompt }, quickReplies },
      ...(retryText === undefined
        ? []
        : [{ text: { path: 'retry_text', template: retryText }, quickReplies: { ...quickReplies, templates: [] } }]),
    ],
    known,
  );
};

const findChoiceProblems = (config: Ask): BlockProblem[] => {
  const { expects, choices } = config;
  if (expects !== 'choice' && choices !== undefined)
    return [{ code: 'unused_choices', path: 'choices', message: 'are only for expects "choice"' }];
  if (expects === 'choice' && choices === undefined)
    return [{ code: 'no_choices', path: 'choices', message: 'are needed for expects "choice"' }];
  const labels = writtenChoices(config).map((choice) => foldStably(choice.label));
  const problems: BlockProblem[] = labels.flatMap((name, index) =>
    labels.indexOf(name) === index
      ? []
      : [{ code: 'duplicate_choice', path: `choices.${index}`, message: 'is a duplicate' }],
  );
  const { quickReplies: shown } = messageLimits;
  if (labels.length > shown)
    problems.push({
      code: 'hidden_choices',
      severity: 'warning',
      path: 'choices',
      message: `are ${labels.length}, of which the first ${shown} are shown as quick replies`,
      hint: 'Name the others in the prompt: each of them is an answer.',
    });
  return problems;
};
