import { ExactNumber } from '../../../../shared/platform/json/exact-number.ts';

type Part = string | number;

/** A line of a tree of JSON. */
export type TreeRow =
  | {
      kind: 'value';
      id: string;
      depth: number;
      name: Part | undefined;
      value: unknown;
      parts: readonly Part[];
      /** Undefined for what has nothing in it. */
      isOpen: boolean | undefined;
    }
  /** There is more in the value `of` this id than is shown of it. */
  | { kind: 'more'; id: string; of: string; depth: number; left: number };

/** Which values are opened, and of how many of their parts each shows more than at first. */
export type TreeState = { open: ReadonlySet<string>; shown: ReadonlyMap<string, number> };

/** As many parts of one value are shown at first, and are added at a time. */
export const partsShown = 50;

/** The most rows of a tree, whatever is opened in it. */
const mostRows = 2_000;

/** Tells the places of a document apart: paths of mappings end somewhere. */
const idOf = (parts: readonly Part[]): string => JSON.stringify(parts);

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return 0;
  return Object.keys(value).length;
};

const childrenOf = (value: unknown, most: number): [Part, unknown][] => {
  if (Array.isArray(value)) return value.slice(0, most).map((item: unknown, index) => [index, item]);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [];
  return Object.entries(value).slice(0, most);
};

type Waiting =
  | { name: Part | undefined; value: unknown; parts: readonly Part[] }
  | { more: string; depth: number; left: number };

/** The rows that are to be seen, from top to bottom. What is closed costs nothing, and nothing is recursive: answers may be deep. */
export const listRows = (document: unknown, { open, shown }: TreeState): TreeRow[] => {
  const rows: TreeRow[] = [];
  const waiting: Waiting[] = [{ name: undefined, value: document, parts: [] }];
  for (let node = waiting.pop(); node && rows.length < mostRows; node = waiting.pop()) {
    if ('more' in node) {
      rows.push({ kind: 'more', id: `${node.more} more`, of: node.more, depth: node.depth, left: node.left });
      continue;
    }
    const { name, value, parts } = node;
    const id = idOf(parts);
    const size = sizeOf(value);
    const isOpen = size === 0 ? undefined : open.has(id);
    rows.push({ kind: 'value', id, depth: parts.length, name, value, parts, isOpen });
    if (!isOpen) continue;
    const most = shown.get(id) ?? partsShown;
    if (size > most) waiting.push({ more: id, depth: parts.length + 1, left: size - most });
    for (const [part, child] of childrenOf(value, most).toReversed())
      waiting.push({ name: part, value: child, parts: [...parts, part] });
  }
  return rows;
};

/** As many rows are opened from the start. */
const rowsAtFirst = 40;

/** Opens values level by level, as long as few rows come of it. */
export const openAtFirst = (document: unknown): ReadonlySet<string> => {
  const open = new Set<string>();
  let rows = 1;
  let level: { value: unknown; parts: readonly Part[] }[] = [{ value: document, parts: [] }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { value, parts } of level) {
      const size = Math.min(sizeOf(value), partsShown);
      if (size === 0 || rows + size > rowsAtFirst) continue;
      rows += size;
      open.add(idOf(parts));
      for (const [part, child] of childrenOf(value, partsShown)) next.push({ value: child, parts: [...parts, part] });
    }
    level = next;
  }
  return open;
};
