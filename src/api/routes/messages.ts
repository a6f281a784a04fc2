import { findContact } from '../../shared/contacts/queries.ts';
import { findMessage, listMessages } from '../../shared/conversations/queries.ts';
import { messageBody, newMessage, showMessage } from '../../shared/conversations/schema.ts';
import { queuedAtMost, sendMessage } from '../../shared/conversations/send-message.ts';
import { found } from '../../shared/errors.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** What contacts wrote, and what is written to them. */
export const messageRoutes = (deps: ApiDeps): Resource => {
  const messages = createResource(deps, 'Messages');
  endpoint(
    messages,
    {
      id: 'sendMessage',
      method: 'post',
      path: '/contacts/:id/messages',
      summary: 'Send a message to a contact',
      description: `It is queued behind those of its conversation that wait: read it to see what became of it. No event is sent for it. 409 when the contact is unsubscribed or blocked, has no channel, or has ${queuedAtMost} messages queued.`,
      role: 'agent',
      noun: 'contact',
      idempotent: true,
      body: newMessage,
      answers: { 201: messageBody },
    },
    async ({ tx, principal: { accountId, userId }, id: contactId, body: message }) =>
      showMessage(await sendMessage(tx, { accountId, contactId, message, isByAgent: userId !== undefined })),
  );
  endpoint(
    messages,
    {
      id: 'listMessages',
      method: 'get',
      path: '/contacts/:id/messages',
      summary: 'List the messages from and to a contact, newest first',
      role: 'agent',
      noun: 'contact',
      query: listQuery,
      answers: { 200: listOf(messageBody) },
    },
    ({ principal: { accountId }, id, query }) =>
      showPage(
        query,
        (page) =>
          deps.reads(accountId, async (sql) => {
            found('contact', await findContact(sql, accountId, id));
            return listMessages(sql, id, page);
          }),
        showMessage,
      ),
  );
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
    async ({ principal, id }) => showMessage(found('message', await findMessage(deps.db, principal.accountId, id))),
  );
  return messages;
};
