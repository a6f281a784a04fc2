import type { Block, BlockConfig } from '../blocks/block.ts';
import { findBlock } from '../blocks/index.ts';
import type { EventName } from '../../facts/names.ts';
import type { Definition } from './definition.ts';

/** Where a port leads: to a block, or to the end of the run. */
export type Target = { block: string } | 'completes' | 'fails';

/** A flow as it is walked. `get` and `targetOf` throw for what the flow does not have. */
export type Plan = {
  start: string;
  /** `v`: which meaning the block has here. */
  get: (blockId: string) => { block: Block; config: BlockConfig; v: number };
  targetOf: (blockId: string, port: string) => Target;
  /** The events that its blocks wait for. */
  listens: readonly EventName[];
};

type Planned = { block: Block; config: BlockConfig; v: number; following: string | undefined };

/** Which meaning kinds of blocks have, by their types; 1 for one that is not named. */
export type BlockVersions = Readonly<Record<string, number>>;

/** The newest meanings of the blocks of a definition: what is kept with a version when it is published. */
export const blockVersionsOf = ({ blocks }: Pick<Definition, 'blocks'>): BlockVersions =>
  Object.fromEntries(
    blocks.flatMap(({ type }): [string, number][] => {
      const { v = 1 } = findBlock(type) ?? {};
      return v === 1 ? [] : [[type, v]];
    }),
  );

/** Makes a plan of a definition that is valid, and whose blocks have these meanings. */
export const planOf = (
  { start, blocks }: Pick<Definition, 'start' | 'blocks'>,
  versions: BlockVersions = blockVersionsOf({ blocks }),
): Plan => {
  const planned = new Map<string, Planned>();
  for (const [index, config] of blocks.entries()) {
    const block = findBlock(config.type);
    const v = versions[config.type] ?? 1;
    if (block) planned.set(config.id, { block, config, v, following: blocks[index + 1]?.id });
  }
  const get = (blockId: string): Planned => {
    const found = planned.get(blockId);
    if (!found) throw new TypeError(`the flow has no block ${blockId}`);
    return found;
  };
  const listens = [...planned.values()].flatMap(({ block, config }) => block.listensFor?.(config) ?? []);
  return {
    start,
    get,
    targetOf: (blockId, port) => {
      const { block, config, following } = get(blockId);
      return targetOfPort(block, config, following, port);
    },
    listens: [...new Set(listens)],
  };
};

/** Where a port of a block leads, said or not; `following` is the block after it in the list. */
export const targetOfPort = (
  block: Block,
  config: BlockConfig,
  following: string | undefined,
  port: string,
): Target => {
  const jump = block.jumpsTo?.(config);
  if (jump) return { block: jump.block };
  const said = config.next?.[port];
  if (said === null) return 'completes';
  if (said !== undefined) return { block: said };
  if (block.ports(config).find(({ name }) => name === port)?.omitted !== 'following') return 'fails';
  return following === undefined ? 'completes' : { block: following };
};
