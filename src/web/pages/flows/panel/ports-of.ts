import { findBlock } from '../../../../shared/flows/blocks/index.ts';
import { keysAt } from '../../../../shared/flows/definition/known-keys.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';

/** A way out of a block: what is meant where the definition leaves it out, "none" of one that the block does not have. */
export type PortOfBlock = { name: string; omitted: 'following' | 'fails' | 'error' | 'none' };

/** What ports lead to that are left out, of a block whose shape is wrong. */
const ofFailures: Readonly<Record<string, 'fails' | 'error'>> = {
  error: 'fails',
  timeout: 'fails',
  failed: 'fails',
  invalid: 'fails',
  false: 'error',
};

/** The ports of a block, also of a half-finished one: then all that its kind may have. Those that its `next` names follow. */
export const portsOf = (block: RawBlock): PortOfBlock[] => {
  const kind = findBlock(String(block['type']));
  const parsed = kind?.schema.safeParse(block);
  const known: readonly PortOfBlock[] =
    parsed?.success && kind
      ? kind.ports(parsed.data)
      : (kind ? keysAt(kind.schema, ['next']) : []).map((name) => ({
          name,
          omitted: ofFailures[name] ?? 'following',
        }));
  const named = isObject(block['next']) ? Object.keys(block['next']) : [];
  const others = named.filter((port) => !known.some(({ name }) => name === port));
  return [...known, ...others.map((name) => ({ name, omitted: 'none' as const }))];
};
