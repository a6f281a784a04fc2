import { sizes } from '../drawing/face.ts';
import { freePlace } from '../drawing/layout.ts';
import type { Places } from '../edits/move.ts';

/** A box on the canvas, with the id of its block. */
export type Box = { id: string; x: number; y: number; width: number; height: number };

/** The distance from block to block along a wire, in px. */
const along = 88;

/** About as high as a new block is. */
const newHeight = 150;

/** Where a new block stands after a port, and where others go to make room for it on its wire. */
export const placeAfter = (
  boxes: readonly Box[],
  { from, portTop, target }: { from: Box; portTop: number; target: Box | undefined },
): { at: { x: number; y: number }; moved: Places } => {
  const x = from.x + from.width + along;
  if (!target || target.x < x - along / 2) {
    const wanted = { x, y: from.y + portTop - sizes.middle, width: sizes.width, height: newHeight };
    return { at: freePlace(wanted, boxes), moved: new Map() };
  }
  const by = x + sizes.width + along - target.x;
  const moved = boxes.flatMap((box) =>
    by > 0 && box.id !== from.id && box.x >= target.x ? [[box.id, { x: box.x + by, y: box.y }] as const] : [],
  );
  const at = { x, y: target.y };
  const others = boxes.filter((box) => box.x < target.x);
  return { at: freePlace({ ...at, width: sizes.width, height: newHeight }, others), moved: new Map(moved) };
};
