import { nameInMail } from './name-in-mail.ts';
import type { NewMail } from './queries.ts';

/** An answer that a visitor of a webchat has not seen, and their proven address; ids are UUIDs. */
export type AnswerToMail = {
  accountId: string;
  visitorId: string;
  conversationId: string;
  messageId: string;
  recipient: string;
  /** The head of the chat. */
  title: string;
};

/** The e-mail to a visitor who left before an agent answered: one until they come back. It has nothing of the conversation but a link. */
export const createVisitorMail = ({ title, recipient, accountId, ...about }: AnswerToMail): NewMail => {
  const name = nameInMail(title);
  return {
    accountId,
    kind: 'visitor_answer',
    dedupKey: `visitor_answer/${about.messageId}`,
    recipient,
    subject: `${name}: an answer waits for you in the chat`,
    body: `Hello,

you wrote in the chat "${name}", and left before the answer came. To read it and to go on, open:`,
    about,
  };
};
