import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { jumpFieldOf, portsOf, type Port } from '../edits/ports.ts';

/** A way out of a block; `none` is meant by one that the block does not have, though its `next` names it. */
export type ShownPort = Omit<Port, 'omitted'> & { omitted: Port['omitted'] | 'none' };

/** The ports of a block as its panel shows them, but for one that a field of the form says. Those that only `next` names follow. */
export const shownPortsOf = (block: RawBlock): ShownPort[] => {
  const known = jumpFieldOf(block) === undefined ? portsOf(block) : [];
  const named = isObject(block['next']) ? Object.keys(block['next']) : [];
  const others = named.filter((port) => !known.some(({ name }) => name === port));
  return [...known, ...others.map((name) => ({ name, omitted: 'none' as const }))];
};
