import { z } from 'zod';
import { exampleId } from '../../shared/ids.ts';
import { assign } from '../../shared/messages/conversations/assign.ts';
import { closeIfOpen, reopenIfClosed } from '../../shared/messages/conversations/close.ts';
import { assignment } from '../../shared/messages/conversations/schema.ts';
import { addBulk, idsOf } from '../bulk.ts';
import type { ApiDeps } from '../http.ts';
import type { Resource } from '../resource.ts';

/** What is done to many conversations at once. */
export const addBulkOfConversations = (conversations: Resource, deps: ApiDeps): void => {
  addBulk(conversations, deps, {
    id: 'assignConversations',
    path: '/bulk/conversations/assign',
    summary: 'Assign or unassign up to 100 conversations',
    role: 'agent',
    noun: 'conversation',
    body: z.strictObject({ ids: idsOf('conversation'), ...assignment }).meta({
      id: 'AssignConversations',
      example: { ids: [exampleId('conversation')], assigned_to: exampleId('user') },
    }),
    change: (tx, { accountId, byUserId, id, body: { assigned_to: userId, if_assigned_to: ifAssignedTo } }) =>
      assign(tx, { accountId, id, userId, ifAssignedTo, byUserId }),
  });
  addBulk(conversations, deps, {
    id: 'closeConversations',
    path: '/bulk/conversations/close',
    summary: 'Close up to 100 conversations',
    description:
      'Sends conversation_closed for each that was open, to webhooks of variant A, and resolves its handover.',
    role: 'agent',
    noun: 'conversation',
    body: z
      .strictObject({ ids: idsOf('conversation') })
      .meta({ id: 'CloseConversations', example: { ids: [exampleId('conversation')] } }),
    change: (tx, { accountId, byUserId, id }) => closeIfOpen(tx, { accountId, id, byUserId }),
  });
  addBulk(conversations, deps, {
    id: 'reopenConversations',
    path: '/bulk/conversations/reopen',
    summary: 'Open up to 100 closed conversations again',
    description: 'Refuses one whose contact has another open conversation on the channel.',
    role: 'agent',
    noun: 'conversation',
    body: z
      .strictObject({ ids: idsOf('conversation') })
      .meta({ id: 'ReopenConversations', example: { ids: [exampleId('conversation')] } }),
    change: (tx, { accountId, byUserId, id }) => reopenIfClosed(tx, { accountId, id, byUserId }),
  });
};
