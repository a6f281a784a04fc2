import { Graph, layout, type EdgeLabel, type GraphLabel, type NodeLabel, type Point } from '@dagrejs/dagre';
import { isEnd, type DrawnFlow, type Way } from './read-flow.ts';

/** The size of what is drawn, in px. */
const size = { width: 260, block: 64, line: 22, trigger: 17 } as const;

/** The key of what stands for the triggers. */
export const startKey = 'start';

type Box = { x: number; y: number; width: number; height: number };

/** A way from one box to another, as it is drawn. That from the start has no ports. */
export type DrawnWay = {
  key: string;
  from: string;
  to: string;
  ports: readonly string[];
  label: string;
  points: readonly Point[];
  at: Point;
};

/** Where everything stands: boxes by key, from their top left corner. */
export type Layout = { boxes: ReadonlyMap<string, Box>; ways: readonly DrawnWay[] };

/** Above so many blocks the best ranks may take a second, and nearly as good ones take a third of it. */
const manyBlocks = 150;

/** What is written at a way: its ports, but for a main one that is alone. */
export const labelOf = ({ ports }: Way): string => (ports.join() === 'default' ? '' : ports.join(', '));

/** Lays a flow out from top to bottom, so that ways avoid blocks. `triggerLines` is how many lines the triggers take. */
export const layOut = ({ start, blocks }: DrawnFlow, triggerLines: number): Layout => {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  const ranker = blocks.length > manyBlocks ? 'tight-tree' : 'network-simplex';
  graph.setGraph({ rankdir: 'TB', nodesep: 36, edgesep: 24, ranksep: 44, marginx: 16, marginy: 16, ranker });
  graph.setNode(startKey, { width: size.width, height: 41 + triggerLines * size.trigger });
  for (const { key, ways } of blocks)
    graph.setNode(key, { width: size.width, height: size.block + ways.filter(isEnd).length * size.line });
  const drawn = new Map<string, Way>();
  if (start !== undefined) graph.setEdge(startKey, start, { weight: 4 });
  for (const { key, ways } of blocks)
    for (const way of ways) {
      if (!('to' in way)) continue;
      const label = labelOf(way);
      const room = label === '' ? {} : { width: 8 + label.length * 7, height: 20, labelpos: 'c' as const };
      graph.setEdge(key, way.to, { ...room, weight: label === '' ? 3 : 1 });
      drawn.set(`${key} ${way.to}`, way);
    }
  layout(graph, { disableOptimalOrderHeuristic: blocks.length > manyBlocks });
  const boxes = new Map<string, Box>();
  for (const key of graph.nodes()) {
    const { x = 0, y = 0, width, height } = graph.node(key);
    boxes.set(key, { x: x - width / 2, y: y - height / 2, width, height });
  }
  const ways = graph.edges().map((edge): DrawnWay => {
    const { points = [], x, y } = graph.edge(edge);
    const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
    const { v: from, w: to } = edge;
    const key = `${from} ${to}`;
    const way = drawn.get(key);
    const label = way ? labelOf(way) : '';
    return { key, from, to, ports: way?.ports ?? [], label, points, at: { x: x ?? middle.x, y: y ?? middle.y } };
  });
  return { boxes, ways };
};
