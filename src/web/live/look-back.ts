import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client, type Schemas } from '../api/client.ts';
import type { ChangedRows } from './changed-rows.ts';
import { placeOf } from './place.ts';

/** Where parts of threads are read. */
export const partPath = '/conversations/{id}/thread';

type Part = Schemas['ThreadPart'];
type Lists = Pick<Part, 'messages' | 'notes' | 'acts'>;

/** A thread around one of its messages, as far as it is loaded to both sides. */
export type LookBack = {
  /** Undefined while nothing is known. */
  lists: Lists | undefined;
  error: unknown;
  retry: () => void;
  /** Loads what came before; undefined at the beginning of the thread, and while something is loaded. */
  older: (() => void) | undefined;
  newer: (() => void) | undefined;
  hasOlder: boolean;
  /** Whether there is nothing newer: then it shows new messages as they come. */
  isAtNewest: boolean;
  isLoading: boolean;
};

const readPart = async (
  id: string,
  { around, cursor }: { around: string; cursor: string | undefined },
  signal: AbortSignal,
): Promise<Part> => {
  const query = cursor === undefined ? { around } : { cursor };
  const { data } = await client.GET(partPath, { params: { path: { id }, query }, signal });
  if (!data) throw new Error('the part was not answered');
  return data;
};

/**
 * The thread around a message; undefined where none is given. Its parts have no gap between them, and what has changed since they were read is put in
 * between their ends alone: what is newer than the last part comes with the next one.
 */
export const useLookBack = (
  id: string,
  around: string | undefined,
  { changed, version }: { changed: ChangedRows; version: number },
): LookBack | undefined => {
  const asked = useInfiniteQuery<Part, Error, InfiniteData<Part>, readonly unknown[], string | undefined>({
    queryKey: ['get', partPath, { id, around }],
    queryFn: ({ pageParam, signal }) => readPart(id, { around: around ?? '', cursor: pageParam }, signal),
    initialPageParam: undefined,
    // The first part is the newest.
    getNextPageParam: (oldest) => oldest.older_cursor ?? undefined,
    getPreviousPageParam: (newest) => newest.newer_cursor ?? undefined,
    enabled: around !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Changes are known from now on alone.
    gcTime: 0,
  });
  const { data, error, refetch, fetchNextPage, fetchPreviousPage, hasNextPage, hasPreviousPage, isFetching } = asked;
  const lists = useMemo(
    () => data && merge(data.pages, { changed, hasOlder: hasNextPage, hasNewer: hasPreviousPage }),
    // oxlint-disable-next-line react/exhaustive-deps -- `changed` has other rows in each version
    [data, changed, version, hasNextPage, hasPreviousPage],
  );
  if (around === undefined) return undefined;
  const mayLoad = !isFetching && error === null;
  return {
    lists,
    error,
    retry: () => void refetch(),
    older: hasNextPage && mayLoad ? () => void fetchNextPage() : undefined,
    newer: hasPreviousPage && mayLoad ? () => void fetchPreviousPage() : undefined,
    hasOlder: hasNextPage,
    isAtNewest: data !== undefined && !hasPreviousPage,
    isLoading: isFetching,
  };
};

type Ends = { changed: ChangedRows; hasOlder: boolean; hasNewer: boolean };

const merge = (pages: readonly Part[], { changed, hasOlder, hasNewer }: Ends): Lists => {
  const lists = {
    messages: pages.flatMap(({ messages }) => messages),
    notes: pages.flatMap(({ notes }) => notes),
    acts: pages.flatMap(({ acts }) => acts),
  };
  const places = Object.values(lists)
    .flat()
    .map((row) => placeOf(row.id))
    .toSorted();
  const span = { from: hasOlder ? places[0] : undefined, to: hasNewer ? places.at(-1) : undefined };
  return {
    messages: changed.mergeWithin('messages', lists.messages, span),
    notes: changed.mergeWithin('notes', lists.notes, span),
    acts: changed.mergeWithin('acts', lists.acts, span),
  };
};
