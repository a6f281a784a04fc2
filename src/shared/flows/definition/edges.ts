import { targetOfPort } from './plan.ts';
import type { Draft, DraftBlock } from './shape.ts';

/** A port of a block, and the id of the block that it leads to. */
export type Edge = { port: string; to: string };

/** Where the ports of a draft's block lead. Of a block whose shape is wrong: where it says so, and to the one that follows. */
export const edgesOf = ({ blocks }: Draft, { index, parsed, next }: DraftBlock): Edge[] => {
  const following = blocks[index + 1]?.id;
  if (!parsed) {
    const said = next.map(([port, to]) => ({ port, to }));
    return following === undefined ? said : [...said, { port: 'default', to: following }];
  }
  const { block, config } = parsed;
  const ports = block.jumpsTo ? ['default'] : block.ports(config).map(({ name }) => name);
  return ports.flatMap((port) => {
    const target = targetOfPort(block, config, following, port);
    return typeof target === 'string' ? [] : [{ port, to: target.block }];
  });
};
