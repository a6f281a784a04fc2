import type { Places, Sketch } from '../drawing/layout.ts';

/** Room between two rows, in px: wires that lead to the next one run there. */
const between = 96;

/** How much wider than high a drawing is to be. */
const ratio = 1.8;

/** The fewest columns of a row, and the most wires that lead from a row to others; where more do, a drawing has no rows. */
const least = 6;
const mostCrossing = 3;

/** Breaks a drawing that is far wider than high into rows, where few wires are crossed; a long chain would be an unreadable line. */
export const wrapRows = ({ boxes, wires }: Sketch, places: Places): Places => {
  const sizes = new Map(boxes.map(([key, width, height]) => [key, { width, height }] as const));
  const columns = [...new Set(places.map(([, x]) => x))].toSorted((one, other) => one - other);
  const columnAt = new Map(columns.map((x, index) => [x, index] as const));
  const columnOf = new Map(places.map(([key, x]) => [key, columnAt.get(x) ?? 0] as const));
  const [top, bottom] = edgesOf(places, sizes);
  const width = (columns.at(-1) ?? 0) - (columns[0] ?? 0);
  const rows = Math.floor(Math.sqrt(width / (ratio * (bottom - top + between))));
  const length = Math.max(least, Math.ceil(columns.length / Math.max(rows, 1)));
  if (rows < 2 || columns.length < 2 * least) return places;
  const firsts = breakRows(crossingsOf(wires, columnOf, columns.length), length);
  if (!firsts) return places;
  let y = top;
  return firsts.flatMap((first, row) => {
    const end = firsts[row + 1] ?? columns.length;
    const own = places.filter(([key]) => {
      const column = columnOf.get(key) ?? 0;
      return column >= first && column < end;
    });
    const [from, to] = edgesOf(own, sizes);
    const [left, down] = [(columns[first] ?? 0) - (columns[0] ?? 0), y - from];
    y += to - from + between;
    return own.map(([key, x, at]) => [key, x - left, at + down] as const);
  });
};

type Sizes = ReadonlyMap<string, { height: number }>;

/** From where to where places reach, from top to bottom. */
const edgesOf = (places: Places, sizes: Sizes): [top: number, bottom: number] => [
  Math.min(...places.map(([, , y]) => y)),
  Math.max(...places.map(([key, , y]) => y + (sizes.get(key)?.height ?? 0))),
];

/** How many wires lead across the end of each column. */
const crossingsOf = (wires: Sketch['wires'], columnOf: ReadonlyMap<string, number>, count: number): number[] => {
  const changes = Array.from({ length: count + 1 }, () => 0);
  for (const [from, to] of wires) {
    const [one, other] = [columnOf.get(from), columnOf.get(to)];
    if (one === undefined || other === undefined) continue;
    changes[Math.min(one, other)] = (changes[Math.min(one, other)] ?? 0) + 1;
    changes[Math.max(one, other)] = (changes[Math.max(one, other)] ?? 0) - 1;
  }
  let crossing = 0;
  return changes.slice(0, count).map((change) => (crossing += change));
};

/** The first columns of the rows, each about so long; undefined where too many wires are crossed. */
const breakRows = (crossings: readonly number[], length: number): number[] | undefined => {
  const firsts = [0];
  const play = Math.floor(length / 4);
  for (let first = 0; crossings.length - first > length + play;) {
    const ideal = first + length - 1;
    let best = ideal;
    for (let off = 1; off <= play; off += 1)
      for (const at of [ideal - off, ideal + off])
        if ((crossings[at] ?? Infinity) < (crossings[best] ?? Infinity)) best = at;
    if ((crossings[best] ?? Infinity) > mostCrossing) return undefined;
    first = best + 1;
    firsts.push(first);
  }
  return firsts;
};
