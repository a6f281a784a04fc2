import type { InfiniteData } from '@tanstack/react-query';
import type { Schemas } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';

type Conversation = Schemas['Conversation'];
type Pages = InfiniteData<{ data: Conversation[] }>;

/** Pages of lists: `useList` marks them. */
const lists = { queryKey: ['get', '/conversations', { list: true }] } as const;

/** A conversation as the lists have read it last, and when that was, in ms since 1970. */
export const findListed = (id: string): { conversation: Conversation; readMs: number } | undefined => {
  let found: ReturnType<typeof findListed>;
  for (const [queryKey, data] of queryClient.getQueriesData<Pages>(lists)) {
    const conversation = data?.pages.flatMap((page) => page.data).find((row) => row.id === id);
    const readMs = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
    if (conversation && readMs > (found?.readMs ?? 0)) found = { conversation, readMs };
  }
  return found;
};

/** Shows at once in lists and pages that nothing of the conversation is unread. */
export const showAsRead = (id: string): void => {
  const read = (row: Conversation): Conversation => (row.id === id && row.unread > 0 ? { ...row, unread: 0 } : row);
  queryClient.setQueriesData<Pages>(
    lists,
    (known) =>
      known && { ...known, pages: known.pages.map((page) => ({ ...page, data: page.data.map((row) => read(row)) })) },
  );
  queryClient.setQueriesData<Conversation>(
    { queryKey: ['get', '/conversations/{id}', { params: { path: { id } } }] },
    (known) => known && read(known),
  );
};
