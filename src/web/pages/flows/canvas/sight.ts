import { toolsRoom, type Instance } from '../drawing/view.ts';

/** How near a block comes to the border of the canvas and to its tools, in px. */
const margin = 32;

/** How long the canvas moves, in ms; not at all for who wants no motion. */
export const durationOf = (ms: number): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms);

/** Moves the canvas no farther than it has to, so that a block is seen. */
export const bringIntoSight = (drawn: Instance, box: HTMLElement, key: string): void => {
  const node = drawn.getNode(key);
  if (!node) return;
  const { x, y, zoom } = drawn.getViewport();
  const shift = (from: number, size: number, room: number): number => {
    if (from < margin || size > room - 2 * margin) return margin - from;
    return Math.min(0, room - margin - (from + size));
  };
  const dx = shift(node.position.x * zoom + x, (node.width ?? 0) * zoom, box.clientWidth - toolsRoom);
  const dy = shift(node.position.y * zoom + y, (node.height ?? 0) * zoom, box.clientHeight);
  if (dx !== 0 || dy !== 0) void drawn.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: durationOf(160) });
};
