import { blockKind } from '../../../parts/kinds/block-kinds.ts';
import type { AnyNode } from '../drawing/nodes.tsx';

/** The color of a block on the small map: that of its family. */
export const colorOf = (node: AnyNode): string =>
  node.type === 'block' ? `var(--map-${blockKind(node.data.block.type).kind.hue})` : 'var(--map-green)';
