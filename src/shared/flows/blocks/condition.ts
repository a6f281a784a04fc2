import { z } from 'zod';
import type { Block, Write } from './block.ts';
import { findRuleProblems, namesNotSetBy, namesSetBy, templatesOfRules, usesOfRules } from './check-rules.ts';
import { hold, meaningOfRules, rulesSchema } from './rules.ts';
import { blockSchema } from './schemas.ts';
import { overBudget } from './context.ts';

const schema = blockSchema(
  'condition',
  {
    match: z
      .enum(['all', 'any'])
      .default('all')
      .meta({ description: 'Whether all rules must hold, or one is enough.' }),
    rules: rulesSchema.meta({ description: 'The comparisons.' }),
  },
  ['true', 'false'],
);

type Condition = z.output<typeof schema>;

const leavesValue = (port: string, name: string): Write => ({ port, name, leaves: 'a_value' });

/** Whether the rules are joined in this way; of a single one both are the same. */
const isOne = ({ match, rules }: Condition, way: Condition['match']): boolean => match === way || rules.length === 1;

export const condition: Block<Condition> = {
  type: 'condition',
  v: meaningOfRules,
  summary: 'Goes one of two ways, by what is known of the contact.',
  schema,
  ports: () => [
    { name: 'true', omitted: 'following' },
    { name: 'false', omitted: 'error' },
  ],
  uses: ({ rules }) => usesOfRules(rules),
  templates: ({ rules }) => templatesOfRules(rules),
  writes: (config) => [
    ...(isOne(config, 'all') ? namesSetBy(config.rules).map((name) => leavesValue('true', name)) : []),
    ...(isOne(config, 'any') ? namesNotSetBy(config.rules).map((name) => leavesValue('false', name)) : []),
  ],
  check: ({ rules }, known) => findRuleProblems(rules, known),
  enter: ({ rules, match }, context) => {
    const holds = hold(rules, match, context);
    return holds === undefined ? overBudget : { type: 'go', port: holds ? 'true' : 'false' };
  },
};
