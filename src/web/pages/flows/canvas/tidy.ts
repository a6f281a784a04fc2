import { layOutAside } from '../drawing/lay-out-aside.ts';
import type { AnyNode } from '../drawing/nodes.tsx';
import type { DrawnFlow, Position } from '../drawing/read-flow.ts';
import { sketchOf, startKey } from '../drawing/use-places.ts';
import { wrapRows } from './wrap-rows.ts';

/** Where boxes stand when they are tidied, by their keys: all, or these, which stay about where they are. */
export const tidyPlaces = async (
  flow: DrawnFlow,
  nodes: readonly AnyNode[],
  only: ReadonlySet<string>,
): Promise<Map<string, Position>> => {
  const heights = new Map(nodes.map(({ id, height = 0 }) => [id, height]));
  const sketch = sketchOf(flow, heights.get(startKey) ?? 0);
  const isMeant = (key: string): boolean => only.size === 0 || only.has(key);
  const laid = await layOutAside({
    boxes: sketch.boxes.filter(([key]) => isMeant(key)),
    wires: sketch.wires.filter(([from, to]) => isMeant(from) && isMeant(to)),
  });
  if (only.size === 0) return new Map(wrapRows(sketch, laid).map(([key, x, y]) => [key, { x, y }]));
  const before = nodes.filter(({ id }) => only.has(id)).map(({ position }) => position);
  const left = Math.min(...before.map(({ x }) => x)) - Math.min(...laid.map(([, x]) => x));
  const top = Math.min(...before.map(({ y }) => y)) - Math.min(...laid.map(([, , y]) => y));
  return new Map(laid.map(([key, x, y]) => [key, { x: x + left, y: y + top }]));
};

/** How long blocks are on their way, in ms, and up to how many go there; more would stutter. */
const gliding = { ms: 260, blocks: 150 } as const;

/** Shows boxes on their way from where they were. Answers a function that ends it at once. */
export const glide = (
  from: ReadonlyMap<string, Position>,
  to: ReadonlyMap<string, Position>,
  { show, ms }: { show: (moving: ReadonlyMap<string, Position> | undefined) => void; ms: number },
): (() => void) => {
  if (ms === 0 || to.size > gliding.blocks) return () => undefined;
  const begun = performance.now();
  let frame = 0;
  const step = (now: number): void => {
    const part = Math.min(1, Math.max(0, (now - begun) / ms));
    if (part === 1) {
      show(undefined);
      return;
    }
    const eased = 1 - (1 - part) ** 3;
    const moving = [...to].map(([key, at]) => {
      const was = from.get(key) ?? at;
      return [key, { x: was.x + (at.x - was.x) * eased, y: was.y + (at.y - was.y) * eased }] as const;
    });
    show(new Map(moving));
    frame = requestAnimationFrame(step);
  };
  show(from);
  frame = requestAnimationFrame(step);
  return () => {
    cancelAnimationFrame(frame);
    show(undefined);
  };
};

export const glideMs = gliding.ms;
