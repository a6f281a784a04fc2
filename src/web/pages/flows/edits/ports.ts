import type { BlockConfig } from '../../../../shared/flows/blocks/block.ts';
import { findBlock as findKind } from '../../../../shared/flows/blocks/index.ts';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';

/** A way out of a block, and what is meant where the definition does not say where it leads. */
export type Port = { name: string; omitted: 'following' | 'fails' | 'error' };

/** Where a port leads as the definition has it: to a block, which need not be there, or to none. `open` keeps the flow from being published. */
export type Exit = { to: string } | { end: 'completes' | 'fails' | 'open' };

type Ways = { ports: readonly Port[]; jump: { path: string; to: string | undefined } | undefined };

const read = new WeakMap<RawBlock, Ways>();

/** The port of a block that goes on elsewhere. */
const jumping: readonly Port[] = [{ name: 'default', omitted: 'error' }];

const none: Ways = { ports: [], jump: undefined };

/** The ways out of a block, also of one that is half finished: as far as its kind can tell them. Each block is read once. */
const waysOf = (block: RawBlock): Ways => {
  const known = read.get(block);
  if (known) return known;
  const ways = readWays(block);
  read.set(block, ways);
  return ways;
};

const readWays = (block: RawBlock): Ways => {
  const { type, next } = block;
  const kind = typeof type === 'string' ? findKind(type) : undefined;
  const said = isObject(next) ? Object.keys(next).slice(0, 20) : [];
  const asSaid: Ways = { ...none, ports: said.map((name) => ({ name, omitted: 'fails' })) };
  if (!kind) return asSaid;
  const parsed = kind.schema.safeParse(block);
  const config: BlockConfig = parsed.success
    ? parsed.data
    : { ...block, id: 'half_finished', type: kind.type, name: undefined, next: undefined };
  try {
    const jump = kind.jumpsTo?.(config);
    const { path, block: to } = jump ?? {};
    if (path !== undefined) return { ports: jumping, jump: { path, to: typeof to === 'string' ? to : undefined } };
    return { ...none, ports: kind.ports(config) };
  } catch {
    // A kind whose ports follow from what is not there yet.
    return asSaid;
  }
};

/** The ports of a block, also of one that is half finished. */
export const portsOf = (block: RawBlock): readonly Port[] => waysOf(block).ports;

/** The field of a block that says where its only port leads, where `next` does not. */
export const jumpFieldOf = (block: RawBlock): string | undefined => waysOf(block).jump?.path;

/** The port that a block usually goes on by. */
export const mainPortOf = (block: RawBlock): Port | undefined => {
  const ports = portsOf(block);
  return (
    ports.find(({ omitted }) => omitted === 'following') ?? (jumpFieldOf(block) === undefined ? undefined : ports[0])
  );
};

/** Where a port of a block leads; `following` is the id of the block after it in the list. */
export const exitOf = (block: RawBlock, { name, omitted }: Port, following: string | undefined): Exit => {
  const { jump } = waysOf(block);
  if (jump) return jump.to === undefined || jump.to === '' ? { end: 'open' } : { to: jump.to };
  const said = isObject(block['next']) ? block['next'][name] : undefined;
  if (said === null) return { end: 'completes' };
  if (typeof said === 'string') return { to: said };
  if (omitted === 'error') return { end: 'open' };
  if (omitted === 'fails') return { end: 'fails' };
  return following === undefined ? { end: 'completes' } : { to: following };
};
