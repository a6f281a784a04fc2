import type { InfiniteData } from '@tanstack/react-query';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { paths } from '../api/paths.gen.d.ts';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { readingOf, type Reading } from './freshness.tsx';
import { keepRows, type PageOfList } from './keep-rows.ts';

/** Paths of the API that answer pages of a list; one that is always answered whole has null for its cursor. */
type ListPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { 'application/json': { data: unknown[]; next_cursor: infer Cursor } } } } };
  }
    ? string extends Cursor
      ? Path
      : never
    : never;
}[keyof paths];

type Get<Path extends ListPath> = paths[Path] extends { get: infer Operation } ? Operation : never;

/** A row of the list. */
export type RowOf<Path extends ListPath> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': { data: (infer Row)[] } } } } } ? Row : never;

type QueryOf<Path extends ListPath> =
  Get<Path> extends { parameters: { query?: infer Query } } ? Omit<NonNullable<Query>, 'cursor' | 'limit'> : never;

type IdIn<Path extends ListPath> = Path extends `${string}/{id}/${string}` ? string : undefined;

type Options<Path extends ListPath> = {
  query?: QueryOf<Path>;
  /** Whose list it is, where the path has a place for that. */
  id?: IdIn<Path>;
  /** Rows of a page, 50 when not given. */
  limit?: number;
  isEnabled?: boolean;
};

/** A list as far as it is loaded. */
export type List<Row> = {
  /** Undefined while nothing is known. */
  rows: readonly Row[] | undefined;
  error: unknown;
  retry: () => void;
  /** Undefined for rows that nobody reads again. */
  reading?: Reading;
  /** Loads the next page; undefined when all is loaded. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
};

/** Rows that have come with something else, as a list that is all there. */
export const listOf = <Row>(rows: readonly Row[]): List<Row> => ({
  rows,
  error: null,
  retry: () => {},
  more: undefined,
  isLoadingMore: false,
});

const getPage = async (
  path: ListPath,
  params: { query: object; path: { id: string } },
  signal: AbortSignal,
): Promise<PageOfList> => {
  const { data } = await client.GET(path, { params, signal });
  if (!data) throw new Error(`${path} answered nothing`);
  return data;
};

const questionOf = <Path extends ListPath>(
  path: Path,
  { query, id, limit = 50 }: Omit<Options<Path>, 'isEnabled'>,
) => ({
  queryKey: ['get', path, { id, query, limit, list: true }] as const,
  queryFn: async ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) => {
    const given = { ...query, limit, ...(pageParam !== undefined && { cursor: pageParam }) };
    return getPage(path, { query: given, path: { id: id ?? '' } }, signal);
  },
  initialPageParam: undefined,
});

/** Reads the first page of a list that may be shown next. */
export const prefetchList = <Path extends ListPath>(path: Path, options: Omit<Options<Path>, 'isEnabled'>): void => {
  void queryClient.prefetchInfiniteQuery<PageOfList, Error, PageOfList, readonly unknown[], string | undefined>(
    questionOf(path, options),
  );
};

/** The pages of a list, newest first. What is typed into `query` belongs to it: another query is another list. */
export const useList = <Path extends ListPath>(
  path: Path,
  { isEnabled = true, ...options }: Options<Path> = {},
): List<RowOf<Path>> => {
  const asked = useInfiniteQuery<PageOfList, Error, InfiniteData<PageOfList>, readonly unknown[], string | undefined>({
    ...questionOf(path, options),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled: isEnabled,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this query has had is what it gets
    structuralSharing: (before, now) => keepRows(before as never, now as never),
  });
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = asked;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's document is tested against its answers
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) as RowOf<Path>[] | undefined, [data]);
  return {
    rows,
    error,
    retry: () => void refetch(),
    reading: readingOf(asked),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  };
};
