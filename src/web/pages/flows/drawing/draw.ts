import { MarkerType } from '@xyflow/react';
import type { WayEdge } from './edges.tsx';
import { layOut, startKey } from './layout.ts';
import type { AnyNode, BlockNode } from './nodes.tsx';
import type { DrawnFlow } from './read-flow.ts';
import { sayTrigger } from './say-trigger.ts';

/** The most triggers that are told in the drawing. */
const mostTriggers = 5;

/** The nodes and edges of a flow, where `layOut` has put them. `more` says that there are more triggers than are told. */
export const draw = (flow: DrawnFlow, more: string): { nodes: AnyNode[]; edges: WayEdge[] } => {
  const said = flow.triggers.filter(({ type }) => type !== 'api').map(sayTrigger);
  const lines = [
    ...said.slice(0, mostTriggers),
    ...(said.length > mostTriggers ? [`+${said.length - mostTriggers} ${more}`] : []),
    sayTrigger({ type: 'api' }),
  ];
  const { boxes, ways } = layOut(flow, lines.length);
  const placed = (key: string) => {
    const { x, y, width, height } = boxes.get(key) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { id: key, position: { x, y }, width, height };
  };
  return {
    nodes: [
      { ...placed(startKey), type: 'start', data: { lines } },
      ...flow.blocks.map((block): BlockNode => ({ ...placed(block.key), type: 'block', data: { block } })),
    ],
    edges: ways.map((way) => ({
      id: way.key,
      type: 'way',
      source: way.from,
      target: way.to,
      data: { way },
      markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
    })),
  };
};
