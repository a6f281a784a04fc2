import { z } from 'zod';
import { readInstant } from '../../times/read-time.ts';
import { renderText } from '../templating/render.ts';
import type { Block, BlockProblem, Move } from './block.ts';
import { after } from './durations.ts';
import { blockSchema, duration } from './schemas.ts';
import { scopeOf } from './scope.ts';
import type { BlockContext } from './context.ts';
import { nextInWindow, windowSchema } from './windows.ts';
import { zoneOf, zoneOfText } from './zones.ts';

const schema = blockSchema(
  'delay',
  {
    for: duration.optional().meta({
      description: 'How long, if not `until`: ISO 8601, from PT1S to P365D; a day has 24 hours.',
    }),
    until: z.string().min(1).max(500).optional().meta({
      description:
        "Until when, if not `for`: a date or date-time, with placeholders. Without a zone it is the contact's clock. One that has passed waits no more.",
    }),
    window: windowSchema.optional().meta({
      description:
        'When it may go on after that, by the clock of the contact, else of the account. A window alone is enough.',
    }),
  },
  ['default'],
);

type Delay = z.output<typeof schema>;

/** The longest wait for a date that a field gives. */
const longest = 'P365D';

export const delay: Block<Delay> = {
  type: 'delay',
  v: 2,
  summary: 'Waits for a while, until a time, or for a window of the day.',
  schema,
  yields: true,
  waits: true,
  ports: () => [{ name: 'default', omitted: 'following' }],
  templates: ({ until }) => (until === undefined ? [] : [{ path: 'until', template: until, place: 'text' }]),
  check: (config) => findProblems(config),
  enter: (config, context) => decide(config, context),
  until: (config, context) => {
    const end = endOf(config, context);
    return typeof end === 'string' ? undefined : end;
  },
  resume: (config, context, input) => (input.type === 'due' ? decide(config, context) : undefined),
};

const decide = (config: Delay, context: BlockContext): Move => {
  const end = endOf(config, context);
  if (typeof end === 'string') return { type: 'fail', reason: end };
  return end > context.now ? { type: 'wait', for: 'delay', until: end } : { type: 'go', port: 'default' };
};

/**
 * When the wait that began with the step ends, or why nobody can say; the present when it is over. A run that was held up may come back
 * outside of its window, which is then the next one.
 */
const endOf = (config: Delay, context: BlockContext): Date | string => {
  const { now, step } = context;
  const end = earliestEnd(config, context);
  if (end === undefined) return 'invalid_date';
  if (end > after(step.enteredAt, longest)) return 'date_too_far';
  const start = end > now ? end : now;
  return config.window ? nextInWindow(start, config.window, zoneOf(context)) : start;
};

const earliestEnd = (config: Delay, context: BlockContext): Date | undefined => {
  if (config.until !== undefined) return readUntil(config.until, context);
  const { enteredAt } = context.step;
  return config.for === undefined ? enteredAt : after(enteredAt, config.for);
};

const readUntil = (template: string, context: BlockContext): Date | undefined => {
  const rendered = renderText(template, scopeOf(context));
  if (!rendered.ok) return undefined;
  const read = readInstant(rendered.text, zoneOfText(rendered.text, { timeZone: zoneOf(context), v: context.v }));
  return read.ok ? read.instant : undefined;
};

/** Why nobody can read a date without placeholders. That does not depend on the zone. */
const findUnreadable = ({ until }: Delay): BlockProblem[] => {
  const read = until === undefined || until.includes('{{') ? undefined : readInstant(until, 'UTC');
  return !read || read.ok ? [] : [{ code: 'invalid_date', path: 'until', message: read.problem }];
};

const findProblems = (config: Delay): BlockProblem[] => {
  const unreadable = findUnreadable(config);
  const given = [config.for, config.until].filter((way) => way !== undefined).length;
  if (given === 1 || (given === 0 && config.window)) return unreadable;
  const message = 'must be given, or until, but not both; a window alone is enough';
  return [{ code: 'no_duration', path: 'for', message }, ...unreadable];
};
