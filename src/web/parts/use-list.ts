import type { InfiniteData } from '@tanstack/react-query';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { paths } from '../api/paths.gen.d.ts';
import { client } from '../api/client.ts';

/** Paths of the API that answer pages of a list. */
type ListPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { 'application/json': { data: unknown[]; next_cursor: string | null } } } } };
  }
    ? Path
    : never;
}[keyof paths];

type Get<Path extends ListPath> = paths[Path] extends { get: infer Operation } ? Operation : never;

/** A row of the list. */
export type RowOf<Path extends ListPath> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': { data: (infer Row)[] } } } } } ? Row : never;

type QueryOf<Path extends ListPath> =
  Get<Path> extends { parameters: { query?: infer Query } } ? Omit<NonNullable<Query>, 'cursor' | 'limit'> : never;

type PathParams<Path extends ListPath> = Get<Path> extends { parameters: { path: infer Params } } ? Params : undefined;

type Options<Path extends ListPath> = {
  query?: QueryOf<Path>;
  path?: PathParams<Path>;
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

type PageOfList = { data: unknown[]; next_cursor: string | null };

type AnyGet = (
  path: string,
  init: { params: { query: object; path: object }; signal: AbortSignal },
) => Promise<{ data?: PageOfList }>;

/** Which lists there are, and what they take, the types of `useList` have told already. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const anyGet = client.GET as unknown as AnyGet;

const getPage = async (
  path: string,
  params: { query: object; path: object },
  signal: AbortSignal,
): Promise<PageOfList> => {
  const { data } = await anyGet(path, { params, signal });
  if (!data) throw new Error(`${path} answered nothing`);
  return data;
};

/** The pages of a list, newest first. What is typed into `query` belongs to it: another query is another list. */
export const useList = <Path extends ListPath>(
  path: Path,
  { query, path: params, limit = 50, isEnabled = true }: Options<Path> = {},
): List<RowOf<Path>> => {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery<
    PageOfList,
    Error,
    InfiniteData<PageOfList>,
    readonly unknown[],
    string | undefined
  >({
    queryKey: ['get', path, { params, query, limit, list: true }],
    queryFn: async ({ pageParam, signal }) => {
      const given = { ...query, limit, ...(pageParam !== undefined && { cursor: pageParam }) };
      return getPage(path, { query: given, path: params ?? {} }, signal);
    },
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled: isEnabled,
  });
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API's document is tested against its answers
    rows: data?.pages.flatMap((page) => page.data) as RowOf<Path>[] | undefined,
    error,
    retry: () => void refetch(),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  };
};
