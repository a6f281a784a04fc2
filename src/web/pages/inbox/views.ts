import type { components } from '../../api/paths.gen.d.ts';
import { readConversationFilters, viewer, type ConversationFilters } from '../../parts/conversation-query.ts';

/** The views of the inbox: the first four stand beside each other, the others in a menu. */
export const viewNames = ['mine', 'waiting', 'unassigned', 'open', 'snoozed', 'closed', 'drafts'] as const;

export type ViewName = (typeof viewNames)[number];

/** What the address says of the list. */
export type Shown = {
  view: ViewName;
  /** The id of the saved view that is open. Its filters stand in the address, where they may have been changed since. */
  saved: string | undefined;
  /** What the list shows: the filters of the view with those of the address. */
  filters: ConversationFilters;
};

const awake = { status: 'open', snoozed: 'false' } as const;

const filtersOf: Record<ViewName, ConversationFilters> = {
  mine: { ...awake, assigned_to: viewer },
  waiting: { owner: 'waiting', snoozed: 'false', order: 'waiting_longest' },
  unassigned: { ...awake, assigned_to: 'none' },
  open: awake,
  snoozed: { status: 'open', snoozed: 'true' },
  closed: { status: 'closed' },
  drafts: { draft: 'mine' },
};

/** The view of this name; agents begin with those that wait for them, which `Mine` may have none of. */
export const readView = (name: string | undefined): ViewName => viewNames.find((known) => known === name) ?? 'open';

/** Reads the address of the inbox. A search looks in all views at once, but for a saved view, which is narrowed by it. */
export const readShown = (params: URLSearchParams): Shown => {
  const view = readView(params.get('view') ?? undefined);
  const saved = params.get('saved') ?? undefined;
  const own = readConversationFilters(params);
  const { search, tag, channel } = own;
  if (saved !== undefined) return { view, saved, filters: own };
  if (search !== undefined) return { view, saved, filters: { search, tag } };
  return { view, saved, filters: { ...filtersOf[view], tag, channel } };
};

/** How many conversations a view has; undefined where that is not counted. */
export const countOf = (view: ViewName, counts: components['schemas']['InboxCounts'] | undefined): number | undefined =>
  view === 'drafts' ? undefined : (counts?.[view] ?? undefined);
