import { found } from '../../shared/errors.ts';
import { findVisitorOf, showVisitor, visitorBody } from '../../shared/messages/webchat/visitor-of-conversation.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import type { Resource } from '../resource.ts';

/** Who the visitor of a conversation is, as far as somebody vouches for it. */
export const addVisitor = (conversations: Resource, { db }: ApiDeps): void =>
  endpoint(
    conversations,
    {
      id: 'getVisitor',
      method: 'get',
      path: '/conversations/:id/visitor',
      summary: 'Read the visitor of a conversation over a webchat',
      description: 'What their page says of them is marked as not verified. 404 for another type of channel.',
      role: 'agent',
      noun: 'conversation',
      answers: { 200: visitorBody },
    },
    async ({ principal: { accountId }, id }) =>
      showVisitor(found('visitor', await findVisitorOf(db, { accountId, conversationId: id }))),
  );
