import { closeConversation, reopenConversation } from '../../shared/messages/conversations/close.ts';
import { findConversation } from '../../shared/messages/conversations/find-conversations.ts';
import { addNote, listNotes } from '../../shared/messages/conversations/notes.ts';
import { assign } from '../../shared/messages/conversations/assign.ts';
import { markRead } from '../../shared/messages/conversations/mark-read.ts';
import { listMessagesOf } from '../../shared/messages/queries.ts';
import {
  conversationBody,
  conversationChanges,
  newNote,
  noteBody,
  noteLimits,
  reading,
  showConversation,
  showNote,
} from '../../shared/messages/conversations/schema.ts';
import { messageBody, showMessage } from '../../shared/messages/schema.ts';
import { found } from '../../shared/errors.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listBelow } from '../lists-below.ts';
import { addChanges } from './conversation-changes.ts';
import { addVisitor } from './conversation-visitor.ts';
import { addBulkOfConversations } from './conversations-in-bulk.ts';
import { addListing } from './conversation-lists.ts';
import { addReplying } from './conversation-replies.ts';
import { addThread } from './conversation-thread.ts';

/** What is said between a contact and the account on one channel, until it is closed. */
export const conversationRoutes = (deps: ApiDeps): Resource => {
  const conversations = createResource(deps, {
    tag: {
      name: 'Conversations',
      description: 'Messages with a contact on one channel, from opening to closing.',
    },
    doors: ['v1', 'dashboard'],
  });
  addReading(conversations, deps);
  addClosing(conversations);
  addLookingAfter(conversations, deps);
  addReplying(conversations, deps);
  addChanges(conversations, deps);
  addThread(conversations, deps);
  addVisitor(conversations, deps);
  addBulkOfConversations(conversations, deps);
  return conversations;
};

const addReading = (conversations: Resource, deps: ApiDeps): void => {
  addListing(conversations, deps);
  endpoint(
    conversations,
    {
      id: 'getConversation',
      method: 'get',
      path: '/conversations/:id',
      summary: 'Read a conversation',
      role: 'agent',
      noun: 'conversation',
      answers: { 200: conversationBody },
    },
    async ({ principal, id }) =>
      showConversation(found('conversation', await findConversation(deps.db, principal.accountId, id))),
  );
  listBelow(conversations, deps, {
    id: 'listMessagesOfConversation',
    path: '/conversations/:id/messages',
    summary: 'List the messages of a conversation, newest first',
    role: 'agent',
    noun: 'conversation',
    body: messageBody,
    findParent: findConversation,
    list: (sql, { id }, page) => listMessagesOf(sql, id, page),
    show: (row) => showMessage(row, deps.media.linkTo),
  });
};

const addClosing = (conversations: Resource): void => {
  endpoint(
    conversations,
    {
      id: 'closeConversation',
      method: 'post',
      path: '/conversations/:id/close',
      summary: 'Close a conversation',
      description:
        'Sends conversation_closed, to webhooks of variant A. Parley still sends queued messages, and flows continue; the next message opens a new conversation. Resolves its handover. A closed one stays unchanged.',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      answers: { 200: conversationBody },
    },
    async ({ tx, principal: { accountId, userId: byUserId }, id }) =>
      showConversation(await closeConversation(tx, { accountId, id, byUserId })),
  );
  endpoint(
    conversations,
    {
      id: 'reopenConversation',
      method: 'post',
      path: '/conversations/:id/reopen',
      summary: 'Reopen a conversation',
      description: 'Sends no event. An open conversation stays as it is.',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      answers: { 200: conversationBody },
      refusals: { 409: 'While its contact has another open conversation on the channel.' },
    },
    async ({ tx, principal: { accountId, userId: byUserId }, id }) =>
      showConversation(await reopenConversation(tx, { accountId, id, byUserId })),
  );
};

const addLookingAfter = (conversations: Resource, deps: ApiDeps): void => {
  const show = async (sql: Sql, accountId: string, id: string) =>
    showConversation(found('conversation', await findConversation(sql, accountId, id)));
  endpoint(
    conversations,
    {
      id: 'changeConversation',
      method: 'patch',
      path: '/conversations/:id',
      summary: 'Assign a conversation, or unassign it',
      role: 'agent',
      noun: 'conversation',
      body: conversationChanges,
      answers: { 200: conversationBody },
      refusals: { 409: 'Where `if_assigned_to` is not its assignee.' },
    },
    async ({ principal: { accountId, userId: byUserId }, id, body: { assigned_to: userId, if_assigned_to } }) => {
      await deps.transact((tx) => assign(tx, { accountId, id, userId, ifAssignedTo: if_assigned_to, byUserId }));
      return show(deps.db, accountId, id);
    },
  );
  endpoint(
    conversations,
    {
      id: 'readConversation',
      method: 'post',
      path: '/conversations/:id/read',
      summary: 'Mark the messages of a conversation as read',
      description:
        "Marks those up to the revision you have seen, and never fewer than before. An agent's reply in the dashboard does so, too.",
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      body: reading,
      answers: { 200: conversationBody },
    },
    async ({ tx, principal: { accountId }, id, body: { revision: seen } }) => {
      await markRead(tx, { accountId, id, seen });
      return show(tx.sql, accountId, id);
    },
  );
  endpoint(
    conversations,
    {
      id: 'addNote',
      method: 'post',
      path: '/conversations/:id/notes',
      summary: 'Write a note on a conversation',
      description: `For agents only: the contact never gets it.`,
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      body: newNote,
      answers: { 201: noteBody },
      refusals: { 409: `For a conversation that has ${noteLimits.notes}.` },
    },
    async ({ tx, principal: { accountId, userId }, id, body: { text } }) =>
      showNote(await addNote(tx, { accountId, id, userId, text })),
  );
  listBelow(conversations, deps, {
    id: 'listNotes',
    path: '/conversations/:id/notes',
    summary: 'List the notes on a conversation, newest first',
    role: 'agent',
    noun: 'conversation',
    body: noteBody,
    findParent: findConversation,
    list: listNotes,
    show: showNote,
  });
};
