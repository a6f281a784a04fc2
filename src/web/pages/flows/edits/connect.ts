import type { AnyDefinition } from '../definition-text.ts';
import { changeBlock, findBlock } from './blocks.ts';
import { setExit } from './order.ts';
import { jumpFieldOf, portsOf } from './ports.ts';

/** A port of a block, by what names it; of undefined, the start. */
export type Origin = { from: string | undefined; port: string };

/** Connects a port with a block, with the end of the flow (null), or with what is meant where it is left out (undefined). */
export const connect = (
  definition: AnyDefinition,
  { from, port, to }: Origin & { to: string | null | undefined },
): AnyDefinition => {
  if (from !== undefined) return changeBlock(definition, from, (block) => setExit(block, port, to));
  return typeof to === 'string' && definition['start'] !== to ? { ...definition, start: to } : definition;
};

/** Takes the wire of a port away: what is meant then is no other block, also where one follows. */
export const disconnect = (definition: AnyDefinition, { from, port }: Origin): AnyDefinition => {
  const block = from === undefined ? undefined : findBlock(definition, from);
  if (!block) return definition;
  const { omitted } = portsOf(block).find(({ name }) => name === port) ?? { omitted: 'fails' };
  const isMain = omitted === 'following' && jumpFieldOf(block) === undefined;
  return connect(definition, { from, port, to: isMain ? null : undefined });
};
