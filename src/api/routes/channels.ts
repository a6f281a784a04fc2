import { findChannel, insertChannel, listChannels } from '../../shared/channels/queries.ts';
import { channelBody, inboundAnswer, inboundBody, newChannel, showChannel } from '../../shared/channels/schema.ts';
import { receiveMessage } from '../../shared/conversations/receive-message.ts';
import { found } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** Where contacts write, and the way in for messages over channels of type api. */
export const channelRoutes = (deps: ApiDeps): Resource => {
  const channels = createResource(deps, 'Channels');
  endpoint(
    channels,
    {
      id: 'createChannel',
      method: 'post',
      path: '/channels',
      summary: 'Create a channel',
      role: 'editor',
      idempotent: true,
      body: newChannel,
      answers: { 201: channelBody },
    },
    async ({ tx, principal, body }) => showChannel(await insertChannel(tx.sql, principal.accountId, body)),
  );
  endpoint(
    channels,
    {
      id: 'listChannels',
      method: 'get',
      path: '/channels',
      summary: 'List channels, newest first',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(channelBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(query, (page) => deps.reads(accountId, (db) => listChannels(db, accountId, page)), showChannel),
  );
  endpoint(
    channels,
    {
      id: 'getChannel',
      method: 'get',
      path: '/channels/:id',
      summary: 'Read a channel',
      role: 'agent',
      noun: 'channel',
      answers: { 200: channelBody },
    },
    async ({ principal, id }) => showChannel(found('channel', await findChannel(deps.db, principal.accountId, id))),
  );
  endpoint(
    channels,
    {
      id: 'receiveMessage',
      method: 'post',
      path: '/channels/:id/inbound',
      summary: 'Hand in a message that a contact sent',
      description:
        'Sends new_message, and new_contact before it when the sender is new. The same message_id again does nothing.',
      role: 'agent',
      noun: 'channel',
      idempotent: true,
      body: inboundBody,
      answers: { 202: inboundAnswer },
    },
    async ({ tx, principal: { accountId }, id, body: message }) => {
      const { messageId, contactId, eventId, duplicate } = await receiveMessage(tx, {
        accountId,
        channelId: id,
        message,
      });
      return {
        message: { id: showId('message', messageId) },
        contact_id: showId('contact', contactId),
        event_id: eventId === null ? null : showId('event', eventId),
        duplicate,
      };
    },
  );
  return channels;
};
