import { useEffect, useMemo, useRef, useState } from 'react';
import { faceOf, sizes } from './face.ts';
import { layOutAside, layOutNow } from './lay-out-aside.ts';
import { placeAround, type Places, type Sketch } from './layout.ts';
import { leadSame, type DrawnFlow, type Position } from './read-flow.ts';

/** The key of what stands for the triggers. */
export const startKey = 'start';

/** The distance of the triggers to the first block, in px. */
const startGap = 88;

/** The sizes and wires of a flow. */
export const sketchOf = ({ start, blocks }: DrawnFlow, startHeight: number): Sketch => ({
  boxes: [
    [startKey, sizes.width, startHeight],
    ...blocks.map((block) => [block.key, sizes.width, faceOf(block).height] as const),
  ],
  wires: [
    ...(start === undefined ? [] : [[startKey, start, 4] as const]),
    ...blocks.flatMap(({ key, ways }) =>
      ways.flatMap((way, index) => ('to' in way ? [[key, way.to, index === 0 ? 3 : 1] as const] : [])),
    ),
  ],
});

/** What is laid out of a flow: the same object while its blocks and wires are the same, whatever is typed in them. */
type Structure = Pick<DrawnFlow, 'start' | 'blocks'>;

const isSameStructure = (before: Structure, { start, blocks }: Structure): boolean =>
  before.start === start &&
  before.blocks.length === blocks.length &&
  before.blocks.every((block, index) => {
    const other = blocks[index];
    return other === block || (other?.key === block.key && leadSame(block.ways, other.ways));
  });

const useStructure = (flow: DrawnFlow): Structure => {
  const [kept, keep] = useState<Structure>(flow);
  if (isSameStructure(kept, flow)) return kept;
  keep(flow);
  return flow;
};

/**
 * Where everything of a flow stands: where somebody has placed it, else laid out. Undefined until that is known. What is typed in a block changes its
 * height, but moves nothing.
 */
export const usePlaces = (flow: DrawnFlow, startHeight: number): ReadonlyMap<string, Position> | undefined => {
  const { positions } = flow;
  const structure = useStructure(flow);
  const isPlaced = structure.blocks.every(({ key }) => positions.has(key));
  const [aside, setAside] = useState<{ structure: Structure; places: Places }>();
  const latest = useRef(flow);
  latest.current = flow;
  const now = useMemo(
    () => (isPlaced ? [] : layOutNow(sketchOf(latest.current, startHeight))),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [isPlaced, structure],
  );
  useEffect(() => {
    if (now) return undefined;
    let isLeft = false;
    const lay = async (): Promise<void> => {
      const places = await layOutAside(sketchOf(latest.current, startHeight));
      if (!isLeft) setAside({ structure, places });
    };
    void lay();
    return () => {
      isLeft = true;
    };
  }, [now, structure, startHeight]);
  const laidOut = now ?? aside?.places;
  return useMemo(() => {
    if (!laidOut) return undefined;
    const places = isPlaced
      ? new Map(positions)
      : positions.size === 0 && laidOut.length === structure.blocks.length + 1
        ? new Map(laidOut.map(([key, x, y]) => [key, { x, y }]))
        : placeAround(sketchOf(latest.current, startHeight), laidOut, positions);
    if (isPlaced || positions.size > 0) places.set(startKey, beforeStart(structure, places));
    return places;
  }, [laidOut, isPlaced, positions, structure, startHeight]);
};

const beforeStart = ({ start }: Structure, places: ReadonlyMap<string, Position>): Position => {
  const at = places.get(start ?? '') ?? [...places.values()][0] ?? { x: 0, y: 0 };
  return { x: at.x - sizes.width - startGap, y: at.y };
};
