import { z } from 'zod';
import { idOf } from '../../shared/codec.ts';
import { found } from '../../shared/errors.ts';
import { exampleId } from '../../shared/ids.ts';
import { findConversation } from '../../shared/messages/conversations/find-conversations.ts';
import { handBack, handOver } from '../../shared/messages/conversations/hand-on.ts';
import { markUnread } from '../../shared/messages/conversations/mark-unread.ts';
import { conversationBody, noteLimits, showConversation } from '../../shared/messages/conversations/schema.ts';
import { snooze, snoozeDaysAtMost } from '../../shared/messages/conversations/snooze.ts';
import { reply } from '../../shared/messages/outbound/reply.ts';
import { queuedAtMost } from '../../shared/messages/outbound/send-message.ts';
import { messageBody, newReply, showMessage, snoozeTime } from '../../shared/messages/schema.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';
import type { Resource } from '../resource.ts';

const snoozeBody = z
  .strictObject({
    until: snoozeTime.nullable().meta({ description: `At most ${snoozeDaysAtMost} days ahead; null ends the snooze.` }),
  })
  .meta({ id: 'Snooze', example: { until: '2030-01-31T09:00:00Z' } });

const handOverBody = z
  .strictObject({
    to: idOf('user', 'a user'),
    note: z.string().trim().min(1).max(noteLimits.text).optional().meta({ description: 'For agents only.' }),
  })
  .meta({ id: 'HandingOver', example: { to: exampleId('user'), note: 'Wants a refund.' } });

const show = async (sql: Sql, accountId: string, id: string) =>
  showConversation(found('conversation', await findConversation(sql, accountId, id)));

/** What agents do in conversations: answer, snooze, mark as unread, hand over and back. */
export const addReplying = (conversations: Resource, { channelKinds, media: { linkTo } }: ApiDeps): void => {
  endpoint(
    conversations,
    {
      id: 'replyInConversation',
      method: 'post',
      path: '/conversations/:id/messages',
      summary: 'Answer in a conversation',
      description:
        'A user who answers takes the conversation: it is assigned to them unless it is assigned already, flows are silent until it is handed back, and queued messages of flows become `withdrawn`. An API key only sends.',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      body: newReply,
      repairsTexts: true,
      answers: { 201: messageBody },
      refusals: {
        409: `\`answered_meanwhile\`, with \`answer\`: another user has answered since \`seen_revision\`. \`conflict\`: it is closed, its contact is unsubscribed or blocked, or it has ${queuedAtMost} messages queued.`,
      },
    },
    async ({ tx, principal: { accountId, userId }, id: conversationId, body }) =>
      showMessage(await reply(tx, { accountId, conversationId, reply: body, channelKinds, linkTo, userId }), linkTo),
  );
  endpoint(
    conversations,
    {
      id: 'snoozeConversation',
      method: 'post',
      path: '/conversations/:id/snooze',
      summary: 'Snooze a conversation until a time, or until its contact writes',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      body: snoozeBody,
      answers: { 200: conversationBody },
      refusals: { 409: 'For a closed one.' },
    },
    async ({ tx, principal: { accountId, userId: byUserId }, id, body: { until } }) => {
      await snooze(tx, { accountId, id, until, byUserId });
      return show(tx.sql, accountId, id);
    },
  );
  endpoint(
    conversations,
    {
      id: 'markConversationUnread',
      method: 'post',
      path: '/conversations/:id/unread',
      summary: 'Mark the last message of the contact as unread',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      answers: { 200: conversationBody },
    },
    async ({ tx, principal: { accountId }, id }) => {
      await markUnread(tx, { accountId, id });
      return show(tx.sql, accountId, id);
    },
  );
  endpoint(
    conversations,
    {
      id: 'handOverConversation',
      method: 'post',
      path: '/conversations/:id/hand-over',
      summary: 'Hand a conversation over to a colleague',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      body: handOverBody,
      answers: { 200: conversationBody },
      refusals: { 409: `For a conversation that has ${noteLimits.notes} notes.` },
    },
    async ({ tx, principal: { accountId, userId: byUserId }, id, body: { to: userId, note } }) => {
      await handOver(tx, { accountId, id, userId, note, byUserId });
      return show(tx.sql, accountId, id);
    },
  );
  endpoint(
    conversations,
    {
      id: 'handBackConversation',
      method: 'post',
      path: '/conversations/:id/hand-back',
      summary: 'Hand a conversation back to the bot',
      description: 'Unassigns it, resolves its handover, and ends the pause of automation of its contact.',
      role: 'agent',
      noun: 'conversation',
      idempotent: true,
      answers: { 200: conversationBody },
    },
    async ({ tx, principal: { accountId, userId: byUserId }, id }) => {
      await handBack(tx, { accountId, id, byUserId });
      return show(tx.sql, accountId, id);
    },
  );
};
