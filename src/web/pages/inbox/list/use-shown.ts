import { useSearchParams } from 'react-router';
import { api } from '../../../api/client.ts';
import { useList, type List } from '../../../parts/use-list.ts';
import type { Schemas } from '../../../api/client.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { queryOf, readView, type Shown } from '../views.ts';

/** The most characters that are searched for. */
export const searchAtMost = 100;

/** What the address says of the list, and the saved views. */
export const useShown = (): Shown & { views: readonly Schemas['View'][] } => {
  const [params] = useSearchParams();
  const { data } = api.useQuery(
    'get',
    '/views',
    { params: { query: { list: 'conversations' } } },
    { staleTime: 60_000 },
  );
  return {
    view: readView(params.get('view') ?? undefined),
    channel: params.get('channel') ?? undefined,
    saved: params.get('saved') ?? undefined,
    search: params.get('search')?.slice(0, searchAtMost) || undefined,
    tag: params.get('tag') || undefined,
    views: data?.data ?? [],
  };
};

/** The conversations that the address asks for. */
export const useConversations = (): List<Schemas['Conversation']> => {
  const { user } = useSignedIn();
  const { views, ...shown } = useShown();
  const savedQuery = views.find(({ id }) => id === shown.saved)?.query;
  return useList('/conversations', { query: queryOf(shown, { userId: user.id, savedQuery }), limit: 30 });
};

/** The conversations in which this user has a draft, as far as two hundred of them. */
export const useDrafted = (): ReadonlySet<string> => {
  const { rows } = useList('/conversations', { query: { draft: 'mine', order: 'latest_message' }, limit: 200 });
  return new Set(rows?.map(({ id }) => id));
};
