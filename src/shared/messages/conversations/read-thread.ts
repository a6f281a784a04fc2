import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { messageColumns } from '../queries.ts';
import type { MessageRow } from '../schema.ts';
import { actColumns } from './changes/acts.ts';
import type { ActRow } from './changes/schema.ts';
import { noteColumns } from './notes.ts';
import type { NoteRow } from './schema.ts';

/** A row of a thread. Ids of all kinds sort by the time at which they were made. */
type ThreadRow =
  | { kind: 'message'; id: string; row: MessageRow }
  | { kind: 'note'; id: string; row: NoteRow }
  | { kind: 'act'; id: string; row: ActRow };

/** A part of a thread, newest first, and whether there is more above and below. */
export type ThreadPart = { rows: ThreadRow[]; hasOlder: boolean; hasNewer: boolean };

/** From where a thread is read: rows before one, after one, to both sides of one, or its newest. `at` is a UUID. */
export type ThreadPlace = { to: 'older' | 'newer' | 'both'; at: string } | undefined;

/**
 * Reads so many messages, notes and acts of a conversation together. In one reading, so that none of the three has a gap where the others go on, and
 * however long the conversation is: each comes from its index by conversation and id.
 */
export const readThread = async (
  sql: Sql,
  conversationId: string,
  { place, limit }: { place: ThreadPlace; limit: number },
): Promise<ThreadPart> => {
  if (place?.to === 'both') {
    // The row itself is the first of the older half.
    const half = Math.ceil(limit / 2);
    const older = await readOlder(sql, conversationId, { condition: sql`<= ${place.at}`, limit: half });
    const newer = await readNewer(sql, conversationId, { at: place.at, limit: limit - half });
    return { rows: [...newer.rows, ...older.rows], hasOlder: older.hasMore, hasNewer: newer.hasMore };
  }
  if (place?.to === 'newer') {
    const { rows, hasMore } = await readNewer(sql, conversationId, { at: place.at, limit });
    return { rows, hasOlder: true, hasNewer: hasMore };
  }
  const condition = place && sql`< ${place.at}`;
  const { rows, hasMore } = await readOlder(sql, conversationId, { condition, limit });
  return { rows, hasOlder: hasMore, hasNewer: place !== undefined };
};

type Half = { rows: ThreadRow[]; hasMore: boolean };

const readOlder = async (
  sql: Sql,
  conversationId: string,
  { condition, limit }: { condition: Fragment | undefined; limit: number },
): Promise<Half> => {
  const rows = await readKinds(sql, conversationId, {
    condition: condition ?? sql`is not null`,
    order: sql`order by id desc limit ${limit + 1}`,
  });
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return { rows: sorted.slice(0, limit), hasMore: rows.length > limit };
};

const readNewer = async (
  sql: Sql,
  conversationId: string,
  { at, limit }: { at: string; limit: number },
): Promise<Half> => {
  const rows = await readKinds(sql, conversationId, {
    condition: sql`> ${at}`,
    order: sql`order by id limit ${limit + 1}`,
  });
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { rows: sorted.slice(0, limit).toReversed(), hasMore: rows.length > limit };
};

/** Rows of each kind whose ids meet the condition, one more of each than are wanted of all. */
const readKinds = async (
  sql: Sql,
  conversationId: string,
  { condition, order }: { condition: Fragment; order: Fragment },
): Promise<ThreadRow[]> => {
  const [messages, notes, acts] = await Promise.all([
    sql<MessageRow[]>`
      select ${messageColumns(sql)} from (
        select * from messages where conversation_id = ${conversationId} and id ${condition} ${order}) as m
      left join outbound_messages o on o.message_id = m.id`,
    sql<NoteRow[]>`
      select ${noteColumns(sql)} from conversation_notes where conversation_id = ${conversationId} and id ${condition} ${order}`,
    sql<ActRow[]>`
      select ${actColumns(sql)} from conversation_acts where conversation_id = ${conversationId} and id ${condition} ${order}`,
  ]);
  return [
    ...messages.map((row) => ({ kind: 'message' as const, id: row.id, row })),
    ...notes.map((row) => ({ kind: 'note' as const, id: row.id, row })),
    ...acts.map((row) => ({ kind: 'act' as const, id: row.id, row })),
  ];
};
