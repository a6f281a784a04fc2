import { MarkerType, Position as Side, type NodeHandle } from '@xyflow/react';
import type { WayEdge } from './edges.tsx';
import { faceOf, sizes, type Problems } from './face.ts';
import type { AnyNode, BlockNode } from './nodes.tsx';
import { refOf, type DrawnBlock, type DrawnFlow, type Position } from './read-flow.ts';
import { sayTrigger } from './say-trigger.ts';
import { startPort } from './port-rows.tsx';
import { startKey } from './use-places.ts';

/** The most triggers that are told in the drawing. */
const mostTriggers = 5;

/** What starts a flow, in lines. `more` says that there are more triggers than are told. */
export const startLines = ({ triggers }: DrawnFlow, more: string): string[] => {
  const said = triggers.filter(({ type }) => type !== 'api').map(sayTrigger);
  return [
    ...said.slice(0, mostTriggers),
    ...(said.length > mostTriggers ? [`+${said.length - mostTriggers} ${more}`] : []),
    sayTrigger({ type: 'api' }),
  ];
};

export const startHeightOf = (lines: readonly string[]): number =>
  sizes.head + lines.length * sizes.line + sizes.padding;

/** The dot of a port, whose middle is at the edge of its block. */
const dotAt = (y: number) => ({
  x: sizes.width - 5,
  y: y - 5,
  width: 10,
  height: 10,
  type: 'source' as const,
  position: Side.Right,
});

const startHandles: NodeHandle[] = [{ ...dotAt(sizes.middle), id: startPort }];

const handles = new WeakMap<DrawnBlock, NodeHandle[]>();

/** Where wires arrive and leave, so that nothing has to be measured. */
const handlesOf = (block: DrawnBlock): NodeHandle[] => {
  const known = handles.get(block);
  if (known) return known;
  const made: NodeHandle[] = [
    { width: 1, height: 1, type: 'target', position: Side.Left, x: 0, y: sizes.middle },
    ...[...faceOf(block).portTops].map(([id, y]): NodeHandle => ({ ...dotAt(y), id })),
  ];
  handles.set(block, made);
  return made;
};

const boxOf = (at: Position | undefined, height: number) => ({
  position: { x: at?.x ?? 0, y: at?.y ?? 0 },
  width: sizes.width,
  height,
  measured: { width: sizes.width, height },
});

type Drawn = {
  places: ReadonlyMap<string, Position>;
  lines: readonly string[];
  problemsOf?: ((ref: string) => Problems | undefined) | undefined;
};

/** The boxes of a flow. One of before is kept where nothing of it has changed, so that it is not rendered again. */
export const drawNodes = (
  { blocks }: DrawnFlow,
  { places, lines, problemsOf }: Drawn,
  before: ReadonlyMap<string, AnyNode>,
): AnyNode[] => {
  const kept = before.get(startKey);
  const at = places.get(startKey);
  const start: AnyNode =
    kept?.type === 'start' && isAt(kept, at) && kept.data.lines === lines
      ? kept
      : {
          ...boxOf(at, startHeightOf(lines)),
          id: startKey,
          type: 'start',
          data: { lines },
          handles: startHandles,
          draggable: false,
        };
  const nodes = blocks.map((block): BlockNode => {
    const { key } = block;
    const known = before.get(key);
    const place = places.get(key);
    const problems = problemsOf?.(refOf(block));
    const isKept =
      known?.type === 'block' && known.data.block === block && known.data.problems === problems && isAt(known, place);
    if (isKept) return known;
    const { height } = faceOf(block);
    const data = { block, problems };
    return { ...boxOf(place, height), id: key, type: 'block', data, handles: handlesOf(block) };
  });
  return [start, ...nodes];
};

const isAt = ({ position }: AnyNode, at: Position | undefined): boolean => position.x === at?.x && position.y === at.y;

const markerEnd = { type: MarkerType.ArrowClosed, width: 14, height: 14 } as const;

const edgeIdOf = (from: string, port: string): string => `${from} ${port}`;

/** The wires of a flow; one of before is kept where it leads to the same. */
export const drawEdges = ({ start, blocks }: DrawnFlow, before: ReadonlyMap<string, WayEdge>): WayEdge[] => {
  const wire = (source: string, port: string, target: string): WayEdge => {
    const id = edgeIdOf(source, port);
    const known = before.get(id);
    if (known?.target === target) return known;
    return { id, type: 'way', source, sourceHandle: port, target, data: { port }, markerEnd };
  };
  return [
    ...(start === undefined ? [] : [wire(startKey, startPort, start)]),
    ...blocks.flatMap(({ key, ways }) => ways.flatMap((way) => ('to' in way ? [wire(key, way.port, way.to)] : []))),
  ];
};
