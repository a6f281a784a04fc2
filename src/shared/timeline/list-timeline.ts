import { listMessages } from '../messages/queries.ts';
import { showMessage } from '../messages/schema.ts';
import { listEventsOf } from '../events/queries.ts';
import { showLoggedEvent } from '../events/schema.ts';
import type { LinkTo } from '../media/schema.ts';
import { listOrders } from '../orders/queries.ts';
import { showListedOrder } from '../orders/schema.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Page } from '../platform/db/page.ts';
import { listRuns } from '../runs/queries.ts';
import { showRun } from '../runs/schema.ts';
import { listTagsOf } from '../tags/queries.ts';
import type { TimelineEntry } from './schema.ts';

/** A contact of the account; ids are UUIDs. */
type Of = { accountId: string; contactId: string; linkTo: LinkTo };

/** An entry at its place: UUIDs of all kinds sort by time. */
type Placed = { id: string; entry: TimelineEntry };

type Kind = (sql: Sql, of: Of, page: Page) => Promise<Placed[]>;

const kind =
  <Row extends { id: string }>(
    list: (sql: Sql, of: Of, page: Page) => Promise<readonly Row[]>,
    show: (row: Row, linkTo: LinkTo) => TimelineEntry,
  ): Kind =>
  async (sql, of, page) =>
    (await list(sql, of, page)).map((row) => ({ id: row.id, entry: show(row, of.linkTo) }));

/** Each kind of entry: a page of its rows by their ids, newest first, each read from an index, and how one is shown. */
const kinds: readonly Kind[] = [
  kind(
    (sql, { contactId }, page) => listMessages(sql, contactId, page),
    (row, linkTo) => ({ type: 'message', at: row.createdAt.toISOString(), message: showMessage(row, linkTo) }),
  ),
  kind(listEventsOf, (row) => ({ type: 'event', at: row.timestamp.toISOString(), event: showLoggedEvent(row) })),
  kind(
    (sql, { contactId }, page) => listTagsOf(sql, contactId, page),
    ({ name, appliedAt }) => ({ type: 'tag', at: appliedAt.toISOString(), tag: { name } }),
  ),
  kind(
    (sql, { accountId, contactId }, page) => listOrders(sql, accountId, { filter: { contact_id: contactId }, page }),
    (row) => ({ type: 'order', at: row.createdAt.toISOString(), order: showListedOrder(row) }),
  ),
  kind(
    (sql, { accountId, contactId }, page) => listRuns(sql, accountId, { filter: { contact_id: contactId }, page }),
    (row) => ({ type: 'run', at: row.startedAt.toISOString(), run: showRun(row) }),
  ),
];

/** A page of what happened with a contact, newest first: of each kind as many as the page has at most. */
export const listTimeline = async (sql: Sql, of: Of, page: Page): Promise<Placed[]> => {
  const all: Placed[] = [];
  for (const list of kinds) all.push(...(await list(sql, of, page)));
  return all.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, page.limit);
};
