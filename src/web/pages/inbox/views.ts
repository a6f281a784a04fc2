import type { components, paths } from '../../api/paths.gen.d.ts';
import { conversationFilterNames, conversationQuery } from '../../parts/conversation-query.ts';

/** The views of the inbox: the first four stand beside each other, the others in a menu. */
export const viewNames = ['mine', 'waiting', 'unassigned', 'open', 'snoozed', 'closed', 'drafts'] as const;

export type ViewName = (typeof viewNames)[number];

type Query = NonNullable<paths['/conversations']['get']['parameters']['query']>;

/** What the address says of the list. */
export type Shown = {
  view: ViewName;
  channel: string | undefined;
  saved: string | undefined;
  /** Whose conversations are looked for: in all views, open and closed. */
  search: string | undefined;
  /** Only contacts with this tag, in any view and search. */
  tag: string | undefined;
};

const awake = { status: 'open', snoozed: 'false' } as const satisfies Query;

const queries = (userId: string): Record<ViewName, Query> => ({
  mine: { ...awake, assigned_to: userId, order: 'latest_message' },
  waiting: { snoozed: 'false', order: 'waiting_longest' },
  unassigned: { ...awake, assigned_to: 'none', order: 'latest_message' },
  open: { ...awake, order: 'latest_message' },
  snoozed: { status: 'open', snoozed: 'true', order: 'latest_message' },
  closed: { status: 'closed', order: 'latest_message' },
  drafts: { draft: 'mine', order: 'latest_message' },
});

/** The view of this name; agents begin with those that wait for them, which `Mine` may have none of. */
export const readView = (name: string | undefined): ViewName => viewNames.find((known) => known === name) ?? 'open';

/** What the list of a view asks. `savedQuery` is that of the saved view that is chosen. */
export const queryOf = (
  { view, channel, search, tag }: Shown,
  { userId, savedQuery }: { userId: string; savedQuery: string | undefined },
): Query => {
  const tagged = tag === undefined ? {} : { tag };
  if (search !== undefined) return { search, order: 'latest_message', ...tagged };
  if (savedQuery !== undefined) {
    const params = new URLSearchParams(savedQuery);
    const filters = conversationFilterNames.flatMap((name) => (params.has(name) ? [[name, params.get(name)]] : []));
    return { ...conversationQuery(Object.fromEntries(filters)), order: 'latest_message', ...tagged };
  }
  return { ...queries(userId)[view], ...tagged, ...(channel !== undefined && { channel_id: channel }) };
};

/** How many conversations a view has; undefined where that is not counted. */
export const countOf = (view: ViewName, counts: components['schemas']['InboxCounts'] | undefined): number | undefined =>
  view === 'drafts' ? undefined : (counts?.[view] ?? undefined);
