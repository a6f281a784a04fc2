import { conversationClosed } from './conversation-closed.ts';
import { flowCompleted } from './flow-completed.ts';
import { handoverRequested } from './handover-requested.ts';
import { newContact } from './new-contact.ts';
import { newMessage } from './new-message.ts';
import { orderPlaced } from './order-placed.ts';
import { orderStatusChanged } from './order-status-changed.ts';
import { tagApplied } from './tag-applied.ts';

/** The events that a webhook can subscribe to, in the order in which they are listed (specification 6.1). */
export const events = [
  newMessage,
  newContact,
  tagApplied,
  flowCompleted,
  orderPlaced,
  orderStatusChanged,
  handoverRequested,
  conversationClosed,
] as const;

export type PublicFact = (typeof events)[number];
