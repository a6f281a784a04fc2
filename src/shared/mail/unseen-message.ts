import { showId } from '../ids.ts';
import { greet } from './greet.ts';
import type { NewMail } from './queries.ts';

/** The first message of a conversation that nobody has seen, and the user who wants to hear of it; ids are UUIDs. */
export type UnseenMessage = {
  accountId: string;
  userId: string;
  recipient: string;
  recipientName: string | null;
  conversationId: string;
  messageId: string;
  /** Since when it waits. */
  since: Date;
};

/** The e-mail about messages that nobody has seen: one for each conversation, user and wait. It names ids alone, because mail is read anywhere. */
export const createUnseenMail = (unseen: UnseenMessage): NewMail => ({
  accountId: unseen.accountId,
  kind: 'unseen_message',
  dedupKey: keyOfUnseenMail(unseen),
  recipient: unseen.recipient,
  subject: 'A conversation waits for an answer',
  body: `${greet(unseen.recipientName)}

a contact wrote to you, and nobody has seen it since ${unseen.since.toISOString().slice(0, 19).replace('T', ' ')} UTC.

  Conversation  ${showId('conversation', unseen.conversationId)}

You get one mail until an agent reads or answers the conversation. To open it:`,
  page: `/inbox/${showId('conversation', unseen.conversationId)}`,
  about: { userId: unseen.userId, conversationId: unseen.conversationId, messageId: unseen.messageId },
});

/** The same for all mails that one wait gives a user. */
export const keyOfUnseenMail = ({ messageId, userId }: Pick<UnseenMessage, 'messageId' | 'userId'>): string =>
  `unseen_message/${messageId}/${userId}`;
