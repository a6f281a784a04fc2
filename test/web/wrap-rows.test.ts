import { expect, test } from 'vitest';
import { layOut, type Sketch } from '../../src/web/pages/flows/drawing/layout.ts';
import { wrapRows } from '../../src/web/pages/flows/canvas/wrap-rows.ts';

const sketchOf = (count: number, leads: (place: number) => readonly number[]): Sketch => ({
  boxes: Array.from({ length: count }, (_, place) => [`${place}`, 272, 120] as const),
  wires: Array.from({ length: count }, (_, place) =>
    leads(place)
      .filter((to) => to < count)
      .map((to) => [`${place}`, `${to}`, 1] as const),
  ).flat(),
});

const shapeOf = (places: ReturnType<typeof layOut>) => {
  const [xs, ys] = [places.map(([, x]) => x), places.map(([, , y]) => y)];
  return (Math.max(...xs) - Math.min(...xs) + 272) / (Math.max(...ys) - Math.min(...ys) + 120);
};

const wrapped = (sketch: Sketch) => wrapRows(sketch, layOut(sketch));

test.for([
  ['a chain', sketchOf(60, (place) => [place + 1])],
  ['a chain with short cuts', sketchOf(60, (place) => (place % 5 === 4 ? [place + 1, place + 3] : [place + 1]))],
] as const)('Tidy breaks %s of 60 blocks into rows, in reading order and without overlaps', ([, sketch]) => {
  const places = wrapped(sketch);
  expect(shapeOf(places)).toBeLessThan(4);
  expect(places.map(([key]) => key).toSorted()).toEqual(sketch.boxes.map(([key]) => key).toSorted());
  const overlapping = places.filter(([, x, y], index) =>
    places.slice(index + 1).some(([, otherX, otherY]) => Math.abs(x - otherX) < 272 && Math.abs(y - otherY) < 120),
  );
  expect(overlapping).toEqual([]);
  const at = new Map(places.map(([key, x, y]) => [key, { x, y }]));
  expect(at.get('0')).toEqual({ x: 16, y: Math.min(...places.map(([, , y]) => y)) });
  expect(at.get('59')?.y).toBeGreaterThan(1_000);
});

test('Tidy leaves a short flow, and one that many wires hold together, in one row', () => {
  const short = sketchOf(9, (place) => [place + 1]);
  const tight = sketchOf(60, (place) => Array.from({ length: 9 }, (_, step) => place + step + 1));
  for (const sketch of [short, tight]) expect(wrapped(sketch)).toEqual(layOut(sketch));
  expect(wrapRows({ boxes: [], wires: [] }, [])).toEqual([]);
});
