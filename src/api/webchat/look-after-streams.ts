import type { Webchat } from '../../shared/messages/webchat/find-visit.ts';
import { findLatestOfSenders } from '../../shared/messages/webchat/thread.ts';
import { findFlowsTyping } from '../../shared/messages/webchat/typing.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { mayShow } from './may-show.ts';
import type { VisitorStream } from './visitor-stream.ts';

/** Those whose thread has gone on in another conversation. It can where there is none, or a closed one. */
export const findMoved = async (sql: Sql, streams: readonly VisitorStream[]): Promise<VisitorStream[]> => {
  const waiting = streams.filter(
    ({ hasBegun, conversationId, isClosed }) => hasBegun && (conversationId === undefined || isClosed),
  );
  if (waiting.length === 0) return [];
  const latest = await findLatestOfSenders(
    sql,
    waiting.map(({ channel, externalId }) => ({ channelId: channel.id, externalId })),
  );
  return waiting.filter(({ externalId, conversationId }) => {
    const id = latest.get(externalId);
    return id !== undefined && id !== conversationId;
  });
};

/** Those to whom a flow is about to write. */
export const findTyping = async (sql: Sql, streams: readonly VisitorStream[]): Promise<Set<VisitorStream>> => {
  const asked = streams.flatMap(({ of }) => of ?? []);
  const contacts = asked.length === 0 ? new Set<string>() : await findFlowsTyping(sql, asked);
  return new Set(streams.filter(({ of }) => of && contacts.has(of.contactId)));
};

/** Those whose channel is still there and lets their page and their visitor chat. */
export const mayGoOn = async (
  sql: Sql,
  streams: readonly VisitorStream[],
  baseUrl: string,
): Promise<Set<VisitorStream>> => {
  const ids = [...new Set(streams.map(({ channel }) => channel.id))];
  const rows = await sql<Pick<Webchat, 'id' | 'config'>[]>`
    select id, config from channels where id = any(${ids}::uuid[]) and type = 'webchat' and deleted_at is null`;
  const channels = new Map(rows.map((row) => [row.id, row]));
  return new Set(
    streams.filter(({ channel: { id }, origin, host, isIdentified }) => {
      const channel = channels.get(id);
      if (!channel || (channel.config['require_identity'] === true && !isIdentified)) return false;
      return origin === '' || mayShow(channel, origin, { baseUrl, host });
    }),
  );
};
