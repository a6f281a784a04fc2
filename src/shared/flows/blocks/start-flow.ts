import { z } from 'zod';
import { parseId } from '../../ids.ts';
import type { Json } from '../../custom-fields/values.ts';
import { isStorableJson } from '../../custom-fields/storable.ts';
import { renderValue } from '../templating/render-value.ts';
import type { Block } from './block.ts';
import { blockSchema, value } from './schemas.ts';
import { scopeOf } from './scope.ts';

const schema = blockSchema(
  'start_flow',
  {
    flow_id: z
      .string()
      .max(100)
      .refine((id) => parseId('flow', id) !== undefined, { error: 'must be the id of a flow' })
      .meta({
        description: 'A flow of the account, which must be live when a run comes here.',
        examples: ['flow_01jd6z3qf5e8pb2zv0w8c4x1kn'],
      }),
    mode: z.enum(['child', 'switch']).default('child').meta({
      description:
        '`child` goes on when the other flow has ended; `switch` ends this run as completed, and has no port.',
    }),
    params: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z][\w-]{0,63}$/, { error: 'must be a letter, then up to 63 letters, digits, - and _' }),
        value,
      )
      .refine((params) => Object.keys(params).length <= 50, { error: 'has more than 50 values' })
      .optional()
      .meta({ description: 'Values for the other flow, below `params.`; texts with placeholders.', maxProperties: 50 }),
  },
  ['default'],
);

export const startFlow: Block<z.output<typeof schema>> = {
  type: 'start_flow',
  summary: 'Takes the contact through another flow.',
  schema,
  ports: ({ mode }) => (mode === 'child' ? [{ name: 'default', omitted: 'following' }] : []),
  uses: ({ flow_id: id }) => [{ path: 'flow_id', type: 'flow', id }],
  templates: ({ params = {} }) =>
    Object.entries(params).flatMap(([name, template]) =>
      typeof template === 'string' ? [{ path: `params.${name}`, template, place: 'value' as const }] : [],
    ),
  enter: ({ flow_id: flowId, mode, params = {} }, context) => {
    const scope = scopeOf(context);
    const rendered: [string, Json][] = [];
    for (const [name, template] of Object.entries(params)) {
      const value =
        typeof template === 'string' ? renderValue(template, scope) : { ok: true as const, value: template };
      if (!value.ok) return { type: 'fail', reason: 'invalid_template' };
      if (!isStorableJson(value.value ?? null)) return { type: 'fail', reason: 'invalid_value' };
      rendered.push([name, value.value ?? null]);
    }
    const effects = [{ type: 'start_flow', flowId, mode, params: Object.fromEntries(rendered) } as const];
    return mode === 'child' ? { type: 'wait', for: 'child', effects } : { type: 'end', reason: 'switched', effects };
  },
  resume: (_config, _context, input) => {
    if (input.type !== 'child_ended') return undefined;
    return input.status === 'completed'
      ? { type: 'go', port: 'default' }
      : { type: 'fail', reason: `child_${input.status}` };
  },
};
