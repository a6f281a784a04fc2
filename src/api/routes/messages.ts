import { findContact } from '../../shared/contacts/queries.ts';
import { findMessage, listMessages } from '../../shared/messages/queries.ts';
import { messageBody, newMessage, showMessage } from '../../shared/messages/schema.ts';
import { queuedAtMost, sendMessage } from '../../shared/messages/outbound/send-message.ts';
import { found } from '../../shared/errors.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listBelow } from '../lists-below.ts';

/** Messages from and to contacts. */
export const messageRoutes = (deps: ApiDeps): Resource => {
  const { linkTo } = deps.media;
  const messages = createResource(deps, {
    tag: { name: 'Messages', description: 'Messages from and to contacts.' },
    doors: ['v1', 'dashboard'],
  });
  endpoint(
    messages,
    {
      id: 'sendMessage',
      method: 'post',
      path: '/contacts/:id/messages',
      summary: 'Send a message to a contact',
      description: 'Queued behind other messages of its conversation: read it for its result. Sends no event.',
      role: 'agent',
      noun: 'contact',
      idempotent: true,
      body: newMessage,
      repairsTexts: true,
      answers: { 201: messageBody },
      refusals: {
        409: `When the contact is unsubscribed or blocked, has no channel, or has ${queuedAtMost} messages queued.`,
      },
    },
    async ({ tx, principal: { accountId, userId }, id: contactId, body: message }) =>
      showMessage(
        await sendMessage(tx, { accountId, contactId, message, channelKinds: deps.channelKinds, userId }),
        linkTo,
      ),
  );
  listBelow(messages, deps, {
    id: 'listMessages',
    path: '/contacts/:id/messages',
    summary: 'List the messages from and to a contact, newest first',
    role: 'agent',
    noun: 'contact',
    body: messageBody,
    findParent: findContact,
    list: (sql, { id }, page) => listMessages(sql, id, page),
    show: (row) => showMessage(row, linkTo),
  });
  endpoint(
    messages,
    {
      id: 'getMessage',
      method: 'get',
      path: '/messages/:id',
      summary: 'Read a message',
      role: 'agent',
      noun: 'message',
      answers: { 200: messageBody },
    },
    async ({ principal, id }) =>
      showMessage(found('message', await findMessage(deps.db, principal.accountId, id)), linkTo),
  );
  return messages;
};
