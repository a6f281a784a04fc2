import { z } from 'zod';
import { found } from '../../shared/errors.ts';
import type { LinkTo } from '../../shared/media/schema.ts';
import { inDigits } from '../../shared/in-digits.ts';
import { listActs } from '../../shared/messages/conversations/changes/acts.ts';
import { readChanges, type Changes } from '../../shared/messages/conversations/changes/read-changes.ts';
import { actBody, changesBody, changesLimits, showAct } from '../../shared/messages/conversations/changes/schema.ts';
import { findConversation } from '../../shared/messages/conversations/find-conversations.ts';
import { showConversation, showNote } from '../../shared/messages/conversations/schema.ts';
import { showMessage } from '../../shared/messages/schema.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import { listBelow } from '../lists-below.ts';
import type { Resource } from '../resource.ts';

const changesQuery = z.strictObject({
  after: inDigits(z.int().min(0).max(Number.MAX_SAFE_INTEGER)).default(0).meta({
    description: 'The `revision` of the answer before, or of the conversation.',
    default: 0,
  }),
  limit: inDigits(z.int().min(1).max(changesLimits.most)).default(changesLimits.usual).meta({
    description: 'The most messages, notes and acts together. Those that changed together come together, though.',
    default: changesLimits.usual,
  }),
});

/** What has changed in a conversation since a revision of it, and what was done to it. */
export const addChanges = (conversations: Resource, deps: ApiDeps): void => {
  endpoint(
    conversations,
    {
      id: 'listChanges',
      method: 'get',
      path: '/conversations/:id/changes',
      summary: 'Read what has changed in a conversation after a revision',
      description:
        'Messages, notes and acts in their present form, in the order of their changes. Put each in by its id, and ask again after `revision` while `has_more`. Read the conversation before its lists, and ask after its `revision`: then nothing is missed. A `revision` below `after` says that the conversation was restored from a backup: read its lists again.',
      role: 'agent',
      noun: 'conversation',
      query: changesQuery,
      answers: { 200: changesBody },
    },
    async ({ principal: { accountId }, id, query: { after, limit } }) => {
      const asked = { accountId, conversationId: id, after, limit };
      return show(
        found('conversation', await deps.reads(accountId, (sql) => readChanges(sql, asked))),
        deps.media.linkTo,
      );
    },
  );
  listBelow(conversations, deps, {
    id: 'listActs',
    path: '/conversations/:id/acts',
    summary: 'List what was done to a conversation, newest first',
    description: 'Assignments, handovers, closings: what agents see between messages. Kept since 0.4.',
    role: 'agent',
    noun: 'conversation',
    body: actBody,
    findParent: findConversation,
    list: listActs,
    show: showAct,
  });
};

const show = (
  { conversation, messages, notes, acts, revision, hasMore }: Changes,
  linkTo: LinkTo,
): z.output<typeof changesBody> => ({
  conversation: showConversation(conversation),
  messages: messages.map((row) => showMessage(row, linkTo)),
  notes: notes.map(showNote),
  acts: acts.map(showAct),
  revision,
  has_more: hasMore,
});
