import { replaceEqualDeep, type InfiniteData } from '@tanstack/react-query';

/** A page of a list as the API answers it. */
export type PageOfList = { data: unknown[]; next_cursor: string | null };

const idOf = (row: unknown): unknown => (typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined);

/**
 * Keeps each row that has not changed as the same object, wherever it has moved: only other rows are rendered anew. The library compares rows by
 * their place, which a new row in front changes for all.
 */
export const keepRows = (
  before: InfiniteData<PageOfList> | undefined,
  now: InfiniteData<PageOfList>,
): InfiniteData<PageOfList> => {
  const known = new Map((before?.pages ?? []).flatMap(({ data }) => data.map((row) => [idOf(row), row] as const)));
  known.delete(undefined);
  const pages = now.pages.map((page) => ({
    ...page,
    data: page.data.map((row) => replaceEqualDeep(known.get(idOf(row)), row)),
  }));
  const isSame = pages.every((page, number) => {
    const old = before?.pages[number];
    return (
      old?.next_cursor === page.next_cursor &&
      old.data.length === page.data.length &&
      page.data.every((row, place) => row === old.data[place])
    );
  });
  return before && isSame && pages.length === before.pages.length ? before : { ...now, pages };
};
