import { useEffect, useMemo, useRef, useState } from 'react';
import { faceOf, sizes } from './face.ts';
import { layOutAside, layOutNow } from './lay-out-aside.ts';
import { placeAround, type Places, type Sketch } from './layout.ts';
import type { DrawnFlow, Position } from './read-flow.ts';

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

/** Where everything of a flow stands: where somebody has placed it, else laid out. Undefined until that is known. */
export const usePlaces = (flow: DrawnFlow, startHeight: number): ReadonlyMap<string, Position> | undefined => {
  const { start, blocks, positions } = flow;
  const isPlaced = blocks.every(({ key }) => positions.has(key));
  // What is typed in a block changes its height, but moves nothing.
  const structure = useMemo(
    () => (isPlaced ? '' : JSON.stringify([start, blocks.map(({ key, ways }) => [key, ways])])),
    [isPlaced, start, blocks],
  );
  const [aside, setAside] = useState<{ structure: string; places: Places }>();
  const latest = useRef(flow);
  latest.current = flow;
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const now = useMemo(() => (isPlaced ? [] : layOutNow(sketchOf(flow, startHeight))), [structure]);
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
      : positions.size === 0 && laidOut.length === blocks.length + 1
        ? new Map(laidOut.map(([key, x, y]) => [key, { x, y }]))
        : placeAround(sketchOf(flow, startHeight), laidOut, positions);
    if (isPlaced || positions.size > 0) places.set(startKey, beforeStart(flow, places));
    return places;
  }, [laidOut, isPlaced, positions, blocks, flow, startHeight]);
};

const beforeStart = ({ start }: DrawnFlow, places: ReadonlyMap<string, Position>): Position => {
  const at = places.get(start ?? '') ?? [...places.values()][0] ?? { x: 0, y: 0 };
  return { x: at.x - sizes.width - startGap, y: at.y };
};
