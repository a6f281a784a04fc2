import { useMemo, useRef } from 'react';
import { keepList } from '../draft/equal.ts';
import { drawEdges, drawNodes, startHeightOf, startLines } from './draw.ts';
import { useDrawing, type Walk } from './drawing-context.ts';
import type { WayEdge } from './edges.tsx';
import type { Problems } from './face.ts';
import type { AnyNode } from './nodes.tsx';
import type { DrawnFlow } from './read-flow.ts';
import { usePlaces } from './use-places.ts';
import { words } from './words.ts';

/** The boxes and wires of a drawing. */
export type Drawn = { nodes: AnyNode[]; edges: WayEdge[] };

/** Boxes or wires, also by their ids. */
type Listed<One> = { list: One[]; byId: ReadonlyMap<string, One> };

const listed = <One extends { id: string }>(list: One[], before?: Listed<One>): Listed<One> =>
  before?.list === list ? before : { list, byId: new Map(list.map((one) => [one.id, one])) };

/** The boxes and wires of a flow, in which what has not changed stays the same. Undefined until it is laid out. */
export const useDrawn = (flow: DrawnFlow, problemsOf?: (ref: string) => Problems | undefined): Drawn | undefined => {
  const { walk } = useDrawing();
  const { triggers } = flow;
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const lines = useMemo(() => startLines(flow, words.more), [triggers]);
  const places = usePlaces(flow, startHeightOf(lines));
  const before = useRef({ nodes: listed<AnyNode>([]), edges: listed<WayEdge>([]) });
  const drawn = useMemo((): Drawn | undefined => {
    if (!places) return undefined;
    const { current: kept } = before;
    const nodes = keepList(kept.nodes.list, drawNodes(flow, { places, lines, problemsOf }, kept.nodes.byId));
    const edges = keepList(kept.edges.list, drawEdges(flow, kept.edges.byId));
    before.current = { nodes: listed(nodes, kept.nodes), edges: listed(edges, kept.edges) };
    return { nodes, edges };
  }, [flow, places, lines, problemsOf]);
  return useMemo(
    () => drawn && (walk ? { ...drawn, edges: light(drawn.edges, flow, walk) } : drawn),
    [drawn, flow, walk],
  );
};

/** The wires with those that a run has taken in another color, above the others. */
const light = (edges: readonly WayEdge[], { blocks }: DrawnFlow, walk: Walk): WayEdge[] => {
  const ids = new Map(blocks.map(({ key, id }) => [key, id] as const));
  const isTaken = ({ source, data }: WayEdge): boolean =>
    data !== undefined && walk.took(ids.get(source) ?? null, [data.port]);
  const [taken, others] = [edges.filter(isTaken), edges.filter((edge) => !isTaken(edge))];
  return [
    ...others,
    ...taken.map((edge): WayEdge => {
      const { data, markerEnd } = edge;
      const marker = typeof markerEnd === 'object' && { markerEnd: { ...markerEnd, color: 'var(--taken)' } };
      return { ...edge, ...marker, ...(data && { data: { ...data, isTaken: true } }) };
    }),
  ];
};
