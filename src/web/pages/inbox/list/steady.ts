type Row = { id: string };

/**
 * The rows of a list that is held, as while a pointer is over it: each stays in its place, with what it says now, also one that has left the list. New
 * ones in front are counted, and further pages come below. A list that is not held is as it is now.
 `isWhole`: it has no further pages, so that what is below is new as well.
 */
export const holdRows = <Kind extends Row>(
  shown: readonly Kind[],
  now: readonly Kind[],
  { isHeld, isWhole }: { isHeld: boolean; isWhole: boolean },
): { rows: readonly Kind[]; news: number } => {
  if (!isHeld || shown.length === 0) return { rows: now, news: 0 };
  const current = new Map(now.map((row) => [row.id, row]));
  const known = new Set(shown.map(({ id }) => id));
  const last = now.findLastIndex(({ id }) => known.has(id));
  const below = now.slice(last + 1);
  const isPage = last >= 0 && now.length > shown.length;
  const kept = shown.map((row) => current.get(row.id) ?? row);
  const news = now.slice(0, last + 1).filter(({ id }) => !known.has(id)).length;
  if (isPage) return { rows: [...kept, ...below], news };
  return { rows: kept, news: news + (isWhole || last < 0 ? below.length : 0) };
};
