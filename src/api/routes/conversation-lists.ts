import { z } from 'zod';
import { invalid } from '../../shared/errors.ts';
import {
  areAmong,
  listConversations,
  type ConversationFilter,
} from '../../shared/messages/conversations/find-conversations.ts';
import { readAsked, type Asked } from '../../shared/messages/conversations/asked.ts';
import { withFound } from '../../shared/messages/conversations/find-by-text.ts';
import { listByLatest } from '../../shared/messages/conversations/list-by-latest.ts';
import { listByWaiting } from '../../shared/messages/conversations/list-by-waiting.ts';
import {
  conversationBody,
  conversationFilters,
  conversationOrder,
  showConversation,
  type ConversationRow,
} from '../../shared/messages/conversations/schema.ts';
import { countedAtMost, countOf, countRows } from '../counts.ts';
import { endpoint } from '../endpoint.ts';
import type { Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { byId, createPages, listOf } from '../lists.ts';
import type { Principal } from '../principal.ts';

/** What a cursor says of a page's last conversation: its status, its latest message, or since when it waits. The first letter says what. */
type Place =
  | { by: 'opened'; status: 'open' | 'closed'; id: string }
  | { by: 'latest_message'; id: string }
  | { by: 'waiting_longest'; waitingSince: Date; id: string };

const readPlace = (text: string): Place | undefined => {
  if (text.startsWith('w')) return readWaiting(text);
  const id = byId.readCursor(text.slice(1));
  if (id === undefined) return undefined;
  if (text.startsWith('m')) return { by: 'latest_message', id };
  const status = ({ o: 'open', c: 'closed' } as const)[text.charAt(0)];
  return status && { by: 'opened', status, id };
};

const readWaiting = (text: string): Place | undefined => {
  const [, ms = '', last = ''] = /^w(\d{1,15})\.(.+)$/.exec(text) ?? [];
  const id = byId.readCursor(last);
  return id === undefined ? undefined : { by: 'waiting_longest', waitingSince: new Date(Number(ms)), id };
};

const createPagesBy = (showCursor: (last: ConversationRow) => string) =>
  createPages({ most: 200, usual: 50, readCursor: readPlace, showCursor });

const byOpening = createPagesBy(({ status, id }) => `${status.charAt(0)}${byId.showCursor({ id })}`);
const byMessage = createPagesBy(({ id, lastMessage }) => `m${byId.showCursor(lastMessage ?? { id })}`);
const byWaiting = createPagesBy(
  ({ id, waitingSince }) => `w${waitingSince?.getTime() ?? 0}.${byId.showCursor({ id })}`,
);

const conversationsCount = z.strictObject(conversationFilters);

type Filter = { filter: ConversationFilter; said: Asked['said'] };

const filterOf = async (
  { reads }: Pick<ApiDeps, 'reads'>,
  { accountId, userId }: Principal,
  { draft, search, tag, ...filter }: z.output<typeof conversationsCount>,
): Promise<Filter> => {
  if (draft && userId === undefined) throw invalid({ path: 'draft', message: 'is for signed-in users' });
  const own = { ...filter, drafted_by: draft && userId };
  if (search === undefined && tag === undefined) return { filter: own, said: new Map() };
  const { said, ...asked } = await reads(accountId, (sql) => readAsked(sql, accountId, { search, tag }));
  return { filter: { ...own, ...asked }, said };
};

/** The place of a cursor, which is of a list in this order. */
const placeIn = <By extends Place['by']>(by: By, before: Place | undefined): Extract<Place, { by: By }> | undefined => {
  const isInOrder = (place: Place): place is Extract<Place, { by: By }> => place.by === by;
  if (before === undefined || isInOrder(before)) return before;
  throw invalid({ path: 'cursor', message: 'is of a list in another order' });
};

/** The list of conversations in its orders, and its count. */
export const addListing = (conversations: Resource, deps: ApiDeps): void => {
  endpoint(
    conversations,
    {
      id: 'listConversations',
      method: 'get',
      path: '/conversations',
      summary: 'List conversations, by when they were opened, their latest message, or how long they wait',
      role: 'agent',
      query: byOpening.query.extend({ ...conversationFilters, order: conversationOrder }),
      answers: { 200: listOf(conversationBody) },
    },
    async ({ principal, query: { limit: size, cursor, order, ...given } }) => {
      const { accountId } = principal;
      const { filter, said } = await filterOf(deps, principal, given);
      const read = (list: (sql: Parameters<typeof listConversations>[0]) => Promise<ConversationRow[]>) =>
        deps.reads(accountId, async (sql) => {
          const rows = await list(sql);
          return said.size === 0 ? rows : withFound(sql, rows, { said, text: given.search ?? '' });
        });
      if (order === 'opened') {
        const before = placeIn('opened', cursor);
        const list = ({ limit }: { limit: number }) =>
          read((sql) => listConversations(sql, accountId, { filter, limit, before }));
        return byOpening.page({ limit: size }, list, showConversation);
      }
      if (order === 'waiting_longest') {
        const before = placeIn('waiting_longest', cursor);
        const list = ({ limit }: { limit: number }) =>
          read((sql) => listByWaiting(sql, accountId, { filter, limit, before }));
        return byWaiting.page({ limit: size }, list, showConversation);
      }
      const before = placeIn('latest_message', cursor);
      const list = ({ limit }: { limit: number }) =>
        read((sql) => listByLatest(sql, accountId, { filter, limit, before: before?.id }));
      return byMessage.page({ limit: size }, list, showConversation);
    },
  );
  endpoint(
    conversations,
    {
      ...countOf('conversations'),
      id: 'countConversations',
      path: '/conversations/count',
      query: conversationsCount,
    },
    async ({ principal, query }) => {
      const { accountId } = principal;
      const { filter } = await filterOf(deps, principal, query);
      return deps.reads(accountId, (sql) =>
        countRows(sql, sql`select from conversations where ${areAmong(sql, accountId, filter)} limit ${countedAtMost}`),
      );
    },
  );
};
