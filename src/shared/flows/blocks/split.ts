import { z } from 'zod';
import type { Block } from './block.ts';
import { fractionOf } from './hash.ts';
import { blockSchema } from './schemas.ts';

const names = ['a', 'b', 'c', 'd'] as const;

const weight = z.int().min(0).max(1_000);

const schema = blockSchema(
  'split',
  {
    weights: z
      .strictObject({ a: weight, b: weight, c: weight.optional(), d: weight.optional() })
      .refine((weights) => Object.values(weights).some((of) => (of ?? 0) > 0), { error: 'must not all be 0' })
      .meta({
        description: 'How many contacts go each way, in proportion to the sum. A way without a weight is no port.',
        examples: [{ a: 50, b: 50 }],
      }),
  },
  names,
);

type Split = z.output<typeof schema>;

export const split: Block<Split> = {
  type: 'split',
  summary: 'Sends contacts different ways. A contact goes the same way at every visit.',
  schema,
  ports: (config) => portsOf(config).map(({ name }) => ({ name, omitted: 'following' as const })),
  enter: (config, { contact, flow }) => ({ type: 'go', port: choose(config, `${contact.id} ${flow.id} ${config.id}`) }),
};

const portsOf = ({ weights }: Split): { name: string; weight: number }[] =>
  names.flatMap((name) => (weights[name] === undefined ? [] : [{ name, weight: weights[name] }]));

const choose = (config: Split, key: string): string => {
  const ways = portsOf(config).filter((way) => way.weight > 0);
  const sum = ways.reduce((total, way) => total + way.weight, 0);
  let left = fractionOf(key) * sum;
  const way = ways.find((each) => {
    left -= each.weight;
    return left < 0;
  });
  return way?.name ?? 'a';
};
