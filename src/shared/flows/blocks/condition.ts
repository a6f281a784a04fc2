import { z } from 'zod';
import type { Block } from './block.ts';
import { findRuleProblems, templatesOfRules, usesOfRules } from './check-rules.ts';
import { hold, rulesSchema } from './rules.ts';
import { blockSchema } from './schemas.ts';
import { scopeOf } from './scope.ts';

const schema = blockSchema(
  'condition',
  {
    match: z
      .enum(['all', 'any'])
      .default('all')
      .meta({ description: 'Whether all rules must hold, or one is enough.' }),
    rules: rulesSchema,
  },
  ['true', 'false'],
);

export const condition: Block<z.output<typeof schema>> = {
  type: 'condition',
  summary: 'Goes one of two ways, by what is known of the contact.',
  schema,
  ports: () => [
    { name: 'true', omitted: 'following' },
    { name: 'false', omitted: 'error' },
  ],
  uses: ({ rules }) => usesOfRules(rules),
  templates: ({ rules }) => templatesOfRules(rules),
  check: ({ rules }, known) => findRuleProblems(rules, known),
  enter: ({ rules, match }, situation) => ({
    type: 'go',
    port: hold(rules, match, scopeOf(situation)) ? 'true' : 'false',
  }),
};
