import type { DrawnFlow } from '../drawing/read-flow.ts';
import type { Box } from './room.ts';

export type Direction = 'ArrowRight' | 'ArrowLeft' | 'ArrowUp' | 'ArrowDown';

export const isDirection = (key: string): key is Direction =>
  key === 'ArrowRight' || key === 'ArrowLeft' || key === 'ArrowUp' || key === 'ArrowDown';

/**
 * The key of the block that an arrow leads to: right along the first wire, left back along one, `cameFrom` before others, and up and down to
 * the nearest block above and below. Undefined where there is none.
 */
export const follow = (
  { blocks }: DrawnFlow,
  boxes: ReadonlyMap<string, Omit<Box, 'id'>>,
  { from, direction, cameFrom }: { from: string; direction: Direction; cameFrom?: string | undefined },
): string | undefined => {
  const block = blocks.find(({ key }) => key === from);
  if (direction === 'ArrowRight') {
    const way = block?.ways.find((one) => 'to' in one);
    return way && 'to' in way ? way.to : undefined;
  }
  if (direction === 'ArrowLeft') {
    const leading = blocks
      .filter(({ ways }) => ways.some((way) => 'to' in way && way.to === from))
      .map(({ key }) => key);
    return cameFrom !== undefined && leading.includes(cameFrom) ? cameFrom : leading[0];
  }
  const here = boxes.get(from);
  if (!here) return undefined;
  const sign = direction === 'ArrowDown' ? 1 : -1;
  let best: { key: string; distance: number } | undefined;
  for (const [key, box] of boxes) {
    const down = (box.y - here.y) * sign;
    if (key === from || down <= 0) continue;
    // What stands beside is farther than what stands below.
    const distance = down + 2 * Math.abs(box.x - here.x);
    if (!best || distance < best.distance) best = { key, distance };
  }
  return best?.key;
};
