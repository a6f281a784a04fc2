import { findChannel, insertChannel, listChannels } from '../../shared/channels/queries.ts';
import { channelBody, inboundAnswer, inboundBody, newChannel, showChannel } from '../../shared/channels/schema.ts';
import { receiveMessage } from '../../shared/conversations/receive-message.ts';
import { notFound } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../http.ts';
import { idempotently } from '../idempotency.ts';
import { listOf, listQuery, sendList } from '../lists.ts';
import { requireEditor } from '../roles.ts';

/** Where contacts write, and the way in for messages over channels of type api. */
export const channelRoutes = (deps: ApiDeps): ApiRouter => {
  const router = createRouter('Channels');

  const create = {
    id: 'createChannel',
    method: 'post',
    path: '/channels',
    summary: 'Create a channel',
    body: newChannel,
    answers: { 201: channelBody },
  } as const;
  endpoint(router, create, async (ctx, { body }) => {
    requireEditor(ctx.state.principal);
    await idempotently(ctx, deps, async ({ sql }) => {
      const row = await insertChannel(sql, ctx.state.principal.accountId, body);
      return { status: 201, body: showChannel(row) };
    });
  });

  const list = {
    id: 'listChannels',
    method: 'get',
    path: '/channels',
    summary: 'List channels, newest first',
    query: listQuery,
    answers: { 200: listOf(channelBody) },
  } as const;
  endpoint(router, list, async (ctx, { query: { limit, cursor } }) => {
    const page = { limit: limit + 1, before: cursor };
    const { accountId } = ctx.state.principal;
    sendList(ctx, await deps.reads(accountId, (db) => listChannels(db, accountId, page)), limit, showChannel);
  });

  const read = {
    id: 'getChannel',
    method: 'get',
    path: '/channels/:id',
    summary: 'Read a channel',
    answers: { 200: channelBody },
  } as const;
  endpoint(router, read, async (ctx) => {
    const row = await findChannel(deps.db, ctx.state.principal.accountId, pathId(ctx, 'channel'));
    if (!row) throw notFound('channel');
    ctx.body = showChannel(row);
  });

  const receive = {
    id: 'receiveMessage',
    method: 'post',
    path: '/channels/:id/inbound',
    summary: 'Hand in a message that a contact sent',
    description:
      'Sends new_message, and new_contact before it when the sender is new. The same message_id again does nothing.',
    body: inboundBody,
    answers: { 202: inboundAnswer },
  } as const;
  endpoint(router, receive, async (ctx, { body: message }) => {
    const incoming = { accountId: ctx.state.principal.accountId, channelId: pathId(ctx, 'channel'), message };
    await idempotently(ctx, deps, async (tx) => {
      const { messageId, contactId, eventId, duplicate } = await receiveMessage(tx, incoming);
      const body = {
        message: { id: showId('message', messageId) },
        contact_id: showId('contact', contactId),
        event_id: eventId === null ? null : showId('event', eventId),
        duplicate,
      };
      return { status: 202, body };
    });
  });

  return router;
};
