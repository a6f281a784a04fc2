import type { EventName } from './names.ts';

type Message = { id: string; text: string; direction: 'inbound' | 'outbound'; sentAt: Date };
type Order = { number: string; status: string };

/** What an event tells beside its contact and channel: one object named after its noun; only new_contact has none. */
type Nouns = {
  new_message: { message: Message };
  new_contact: object;
  tag_applied: { tag: { name: string } };
  flow_completed: { flow: { id: string; name: string } };
  order_placed: { order: Order };
  order_status_changed: { order: Order };
  handover_requested: { handover: { reason: string } };
  conversation_closed: { conversation: { id: string } };
};

/** An event of this name, or of any, with what it tells; the ids in it are as they are shown outside. */
export type NamedEvent<Name extends EventName = EventName> = { [N in Name]: { name: N } & Nouns[N] }[Name];

/** An event as it is sent: `contactId` as it is shown outside. */
export type EventToSend = NamedEvent & { contactId: string; channel: string; occurredAt: Date };

/** Something that happened to a contact, as the code knows it that makes it happen; ids are UUIDs. */
export type DomainEvent = NamedEvent & {
  /** Where it is made before the event. */
  id?: string;
  accountId: string;
  contactId: string;
  /** The conversation that it is about: the event then carries the type of its channel. */
  conversationId?: string;
  occurredAt: Date;
  /** How many events caused one another before this one; 0 when not given, for what people and receivers do. */
  cause?: Cause;
};

/** How far an event is from what somebody did. */
export type Cause = { depth: number };
