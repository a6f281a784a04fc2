import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel } from '@dagrejs/dagre';
import type { Position } from './read-flow.ts';

/** What is laid out: the sizes of boxes by their keys, and which lead to which. */
export type Sketch = {
  boxes: readonly (readonly [key: string, width: number, height: number])[];
  wires: readonly (readonly [from: string, to: string, weight: number])[];
};

/** Where boxes stand, by their keys, from their top left corners. */
export type Places = readonly (readonly [key: string, x: number, y: number])[];

/** Above so many blocks the best ranks may take a second, and nearly as good ones take a third of it. */
const manyBoxes = 150;

/** Lays boxes out from left to right. It takes longer than a frame for a few dozens. */
export const layOut = ({ boxes, wires }: Sketch): Places => {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  const ranker = boxes.length > manyBoxes ? 'tight-tree' : 'network-simplex';
  graph.setGraph({ rankdir: 'LR', nodesep: 32, edgesep: 16, ranksep: 88, marginx: 16, marginy: 16, ranker });
  for (const [key, width, height] of boxes) graph.setNode(key, { width, height });
  for (const [from, to, weight] of wires)
    if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, { weight });
  layout(graph, { disableOptimalOrderHeuristic: boxes.length > manyBoxes });
  return graph.nodes().map((key: string) => {
    const { x = 0, y = 0, width, height } = graph.node(key);
    return [key, Math.round(x - width / 2), Math.round(y - height / 2)];
  });
};

type Box = Position & { width: number; height: number };

/** How far apart boxes stand at least, in px. */
const gap = 32;

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width + gap &&
  other.x < one.x + one.width + gap &&
  one.y < other.y + other.height + gap &&
  other.y < one.y + one.height + gap;

/**
 * Places boxes around those that somebody has placed: each stands to a neighbor as it does where all are laid out, farther down where
 * something is there already.
 */
export const placeAround = (
  { boxes, wires }: Sketch,
  laidOut: Places,
  placed: ReadonlyMap<string, Position>,
): Map<string, Position> => {
  const ideal = new Map(laidOut.map(([key, x, y]) => [key, { x, y }] as const));
  const sizes = new Map(boxes.map(([key, width, height]) => [key, { width, height }] as const));
  const done = new Map<string, Box>();
  const put = (key: string, { x, y }: Position): void => {
    done.set(key, { x, y, ...(sizes.get(key) ?? { width: 0, height: 0 }) });
  };
  for (const [key, at] of placed) if (sizes.has(key)) put(key, at);
  const neighbors = new Map<string, string[]>();
  for (const [from, to] of wires)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      neighbors.set(one, [...(neighbors.get(one) ?? []), other]);
  const waiting = boxes.map(([key]) => key).filter((key) => !done.has(key));
  while (waiting.length > 0) {
    const found = waiting.findIndex((key) => neighbors.get(key)?.some((other) => done.has(other)));
    const [key = ''] = waiting.splice(Math.max(found, 0), 1);
    const anchor = neighbors.get(key)?.find((other) => done.has(other)) ?? [...done.keys()][0];
    const [here, there, from] = [ideal.get(key), ideal.get(anchor ?? ''), done.get(anchor ?? '')];
    const at =
      here && there && from ? { x: from.x + here.x - there.x, y: from.y + here.y - there.y } : (here ?? { x: 0, y: 0 });
    put(key, freePlace({ ...at, ...(sizes.get(key) ?? { width: 0, height: 0 }) }, [...done.values()]));
  }
  return new Map([...done].map(([key, { x, y }]) => [key, { x, y }]));
};

/** The first place below this one where a box overlaps no other. */
export const freePlace = (box: Box, others: readonly Box[]): Position => {
  const { x, width, height } = box;
  let { y } = box;
  for (const other of others.toSorted((a, b) => a.y - b.y))
    if (overlaps({ x, y, width, height }, other)) y = other.y + other.height + gap;
  return { x, y };
};
