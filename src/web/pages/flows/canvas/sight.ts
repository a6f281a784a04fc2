import { toolsRoom, type Instance } from '../drawing/view.ts';

/** How near a block comes to the border of the canvas and to its tools, in px. */
const margin = 32;

/** The same above a block, where its tools stand. */
const marginAbove = 60;

/** How long the canvas moves, in ms; not at all for who wants no motion. */
export const durationOf = (ms: number): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms);

/** How much of a box is seen from its top, in px: on narrow screens the panel is a sheet over the lower part. */
const seenHeight = (box: HTMLElement): number => {
  const sheet = document.querySelector('.builder-side:not([hidden])');
  if (!sheet || getComputedStyle(sheet).position !== 'fixed') return box.clientHeight;
  const seen = sheet.getBoundingClientRect().top - box.getBoundingClientRect().top;
  return Math.max(0, Math.min(box.clientHeight, seen));
};

/** Moves the canvas no farther than it has to, so that a block is seen. */
export const bringIntoSight = (drawn: Instance, box: HTMLElement, key: string): void => {
  const node = drawn.getNode(key);
  if (!node) return;
  const { x, y, zoom } = drawn.getViewport();
  const shift = (from: number, size: number, room: number, before = margin): number => {
    if (from < before || size > room - before - margin) return before - from;
    return Math.min(0, room - margin - (from + size));
  };
  const dx = shift(node.position.x * zoom + x, (node.width ?? 0) * zoom, box.clientWidth - toolsRoom);
  const dy = shift(node.position.y * zoom + y, (node.height ?? 0) * zoom, seenHeight(box), marginAbove);
  if (dx !== 0 || dy !== 0) void drawn.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: durationOf(160) });
};
