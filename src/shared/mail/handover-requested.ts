import { showId } from '../ids.ts';
import { greet } from './greet.ts';
import type { NewMail } from './queries.ts';

/** A handover, and a user who wants to hear of it; ids are UUIDs. */
export type HandoverToTell = {
  accountId: string;
  userId: string;
  recipient: string;
  recipientName: string | null;
  handoverId: string;
  contactId: string;
  conversationId: string | null;
  requestedBy: 'contact' | 'flow' | 'agent' | 'api';
  createdAt: Date;
};

const requesters = { contact: 'the contact', flow: 'a flow', agent: 'an agent', api: 'the API' } as const;

/** The e-mail that tells a user of a handover: one for each. It names ids alone, because mail is read in places that nobody knows. */
export const createHandoverMail = (handover: HandoverToTell): NewMail => ({
  accountId: handover.accountId,
  kind: 'handover_requested',
  dedupKey: `handover_requested/${handover.handoverId}/${handover.userId}`,
  recipient: handover.recipient,
  subject: 'A contact needs an agent',
  body: `${greet(handover.recipientName)}

a handover was requested at ${handover.createdAt.toISOString().slice(0, 19).replace('T', ' ')} UTC, by ${requesters[handover.requestedBy]}.

  Handover      ${showId('handover', handover.handoverId)}
  Contact       ${showId('contact', handover.contactId)}
  Conversation  ${handover.conversationId === null ? 'none yet' : showId('conversation', handover.conversationId)}

Automation is paused until an agent resolves the handover, or until it expires. You get this mail because your profile asks for one
per handover; turn that off there. To take the handover, open:`,
  page:
    handover.conversationId === null
      ? `/contacts/${showId('contact', handover.contactId)}`
      : `/inbox/${showId('conversation', handover.conversationId)}`,
});
