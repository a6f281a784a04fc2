import { z } from 'zod';
import { renderText } from '../templating/render.ts';
import type { Block } from './block.ts';
import { after } from './durations.ts';
import { blockSchema, duration, text } from './schemas.ts';
import { scopeOf } from './scope.ts';

/** The most characters of why a handover is requested. */
export const reasonLength = 500;

const schema = blockSchema(
  'handover',
  {
    reason: text.meta({
      description: `Why the contact needs an agent, with placeholders; ${reasonLength} characters are kept.`,
    }),
    wait: z.boolean().default(true).meta({
      description:
        'Whether the run waits until the handover is resolved. Otherwise it goes on by `resolved` at once, and what it has to say waits.',
    }),
    timeout: duration.default('P7D').meta({
      description:
        'How long it waits: ISO 8601, from PT1S to P365D; a day has 24 hours. A handover that the run has requested expires then. One that expires earlier takes the port `timeout`, too.',
    }),
  },
  ['resolved', 'timeout'],
);

export const handover: Block<z.output<typeof schema>> = {
  type: 'handover',
  summary: 'Requests a handover to an agent, unless one is open. Automation is paused while it is open.',
  schema,
  yields: true,
  waits: true,
  ports: ({ wait }) => [
    { name: 'resolved', omitted: 'following' },
    ...(wait ? [{ name: 'timeout', omitted: 'fails' } as const] : []),
  ],
  templates: ({ reason }) => [{ path: 'reason', template: reason, place: 'text' }],
  enter: ({ reason: template, wait, timeout }, context) => {
    const rendered = renderText(template, scopeOf(context));
    if (!rendered.ok) return { type: 'fail', reason: 'invalid_template' };
    const effects = [{ type: 'request_handover', reason: shorten(rendered.text) || context.flow.name } as const];
    return wait
      ? { type: 'wait', for: 'handover', until: after(context.now, timeout), effects }
      : { type: 'go', port: 'resolved', effects };
  },
  resume: (_config, _context, input) => {
    if (input.type === 'due') return { type: 'go', port: 'timeout', effects: [{ type: 'expire_handover' }] };
    if (input.type !== 'handover_ended') return undefined;
    return { type: 'go', port: input.status === 'resolved' ? 'resolved' : 'timeout' };
  },
};

/** Never half a surrogate pair. */
const shorten = (reason: string): string =>
  reason
    .trim()
    .slice(0, reasonLength)
    .replace(/[\ud800-\udbff]$/, '');
