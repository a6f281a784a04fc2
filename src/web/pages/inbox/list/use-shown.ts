import { useSearchParams } from 'react-router';
import { api } from '../../../api/client.ts';
import {
  conversationQuery,
  readConversationFilters,
  sayConversationFilters,
} from '../../../parts/conversation-query.ts';
import { useList, type List } from '../../../parts/use-list.ts';
import type { Schemas } from '../../../api/client.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { readShown, type Shown } from '../views.ts';

type View = Schemas['View'];

/** The filters of a saved view, as the address has them. */
export const savedFilters = ({ query }: Pick<View, 'query'>): string =>
  sayConversationFilters(readConversationFilters(new URLSearchParams(query)));

/** What the address says of the list, and the saved views. */
export const useShown = (): Shown & {
  views: readonly View[];
  /** The saved view that is open. */
  opened: View | undefined;
  /** The filters of the list, as a saved view has them. */
  query: string;
} => {
  const [params] = useSearchParams();
  const { data } = api.useQuery(
    'get',
    '/views',
    { params: { query: { list: 'conversations' } } },
    { staleTime: 60_000 },
  );
  const views = data?.data ?? [];
  const shown = readShown(params);
  return {
    ...shown,
    views,
    opened: views.find(({ id }) => id === shown.saved),
    query: sayConversationFilters(shown.filters),
  };
};

/** The conversations that the address asks for. */
export const useConversations = (): List<Schemas['Conversation']> => {
  const { user } = useSignedIn();
  const [params] = useSearchParams();
  const { filters } = readShown(params);
  const query = { ...conversationQuery(filters, user.id), order: filters.order ?? ('latest_message' as const) };
  return useList('/conversations', { query, limit: 30 });
};

/** The conversations in which this user has a draft, as far as two hundred of them. */
export const useDrafted = (): ReadonlySet<string> => {
  const { rows } = useList('/conversations', { query: { draft: 'mine', order: 'latest_message' }, limit: 200 });
  return new Set(rows?.map(({ id }) => id));
};
