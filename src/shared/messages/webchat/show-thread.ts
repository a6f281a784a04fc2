import type { z } from 'zod';
import { showId } from '../../ids.ts';
import type { LinkTo } from '../../media/schema.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { showAttachment, type attachment } from '../../media/attachments.ts';
import type { MessageRow } from '../schema.ts';
import type { Thread } from './thread.ts';
import type { Typing } from './typing.ts';

/** A message as its visitor sees it. */
export type ShownMessage = {
  id: string;
  revision: number;
  client_id: string | null;
  direction: 'visitor' | 'business';
  author: 'bot' | 'agent' | null;
  author_name: string | null;
  text: string;
  image_url: string | null;
  quick_replies: readonly string[];
  attachments: readonly z.infer<typeof attachment>[];
  created_at: string;
  read_at: string | null;
};

/** A thread as its visitor sees it. */
export type ShownThread = {
  conversation: { id: string; status: 'open' | 'closed'; agent: { name: string | null } | null } | null;
  messages: readonly ShownMessage[];
  typing: Typing;
  revision: number;
  has_more: boolean;
};

export const nothingSaid: ShownThread = {
  conversation: null,
  messages: [],
  typing: { bot: false, agent: false },
  revision: 0,
  has_more: false,
};

/** The name of a message as its channel keeps it: no visitor can take that of another's. */
export const messageIdOf = (externalId: string, clientId: string): string => `${externalId}/${clientId}`;

const clientIdOf = (messageId: string): string | null => messageId.split('/')[1] ?? null;

/** What users, UUIDs, are called. */
const findNames = async (sql: Sql, ids: readonly string[]): Promise<Map<string, string | null>> => {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; name: string | null }[]>`
    select id, name from users where id = any(${[...new Set(ids)]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** Shows messages to their visitor. */
export const showMessages = async (sql: Sql, rows: readonly MessageRow[], linkTo: LinkTo): Promise<ShownMessage[]> => {
  const inbound = rows.filter(({ direction }) => direction === 'inbound').map(({ id }) => id);
  const named =
    inbound.length === 0
      ? []
      : await sql<{ id: string; externalId: string }[]>`
          select id, external_id from messages where id = any(${inbound}::uuid[])`;
  const clientIds = new Map(named.map(({ id, externalId }) => [id, clientIdOf(externalId)]));
  const names = await findNames(
    sql,
    rows.flatMap(({ sentBy }) => (sentBy?.type === 'user' && sentBy.id !== null ? [sentBy.id] : [])),
  );
  return rows.map((row) => ({
    id: showId('message', row.id),
    revision: row.revision,
    client_id: clientIds.get(row.id) ?? null,
    direction: row.direction === 'inbound' ? 'visitor' : 'business',
    author: row.direction === 'inbound' ? null : row.sentBy?.type === 'flow' ? 'bot' : 'agent',
    author_name: names.get(row.sentBy?.id ?? '') ?? null,
    text: row.text,
    image_url: row.imageUrl,
    quick_replies: row.quickReplies,
    attachments: row.attachments.map((stored) => showAttachment(stored, linkTo)),
    created_at: row.createdAt.toISOString(),
    read_at: row.readAt?.toISOString() ?? null,
  }));
};

/** Shows the conversation of a thread, with the name of the agent who has it. */
export const showConversation = async (
  sql: Sql,
  { id, status, assignedTo }: Thread['conversation'],
): Promise<NonNullable<ShownThread['conversation']>> => {
  const names = await findNames(sql, assignedTo === null ? [] : [assignedTo]);
  const agent = assignedTo === null ? null : { name: names.get(assignedTo) ?? null };
  return { id: showId('conversation', id), status, agent };
};
