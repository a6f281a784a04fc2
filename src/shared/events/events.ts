import type { EventName } from './names.ts';

type Message = { id: string; text: string; direction: 'inbound' | 'outbound'; sentAt: Date };

/** An order as events tell it; `total` is in minor units of the currency, and `placed_at` ISO 8601 in UTC. */
export type ToldOrder = {
  id: string;
  external_id: string;
  number: string;
  status: string;
  currency: string;
  total: number;
  placed_at: string;
};

/** A conversation as events tell it; `created_at` is ISO 8601 in UTC. */
type ToldConversation = { id: string; created_at: string };

/** A handover as events tell it; `created_at` is ISO 8601 in UTC. */
export type ToldHandover = {
  id: string;
  reason: string;
  requested_by: 'contact' | 'flow' | 'agent' | 'api';
  conversation_id: string | null;
  created_at: string;
};

/** What an event has beside its contact and channel: one object, named after its noun. Only new_contact has none. */
type Nouns = {
  new_message: { message: Message };
  new_contact: object;
  tag_applied: { tag: { name: string } };
  flow_completed: { flow: { id: string; name: string } };
  order_placed: { order: ToldOrder };
  order_status_changed: { order: ToldOrder & { from: string; to: string } };
  handover_requested: { handover: ToldHandover };
  conversation_closed: { conversation: ToldConversation };
};

/** An event of this name, or of any, with its object. Ids in the object are TypeIDs. */
export type NamedEvent<Name extends EventName = EventName> = { [N in Name]: { name: N } & Nouns[N] }[Name];

/** An event as it is sent; `contactId` is a TypeID. */
export type EventToSend = NamedEvent & { contactId: string; channel: string; occurredAt: Date };

/** Something that happened to a contact, as the code that emits it knows it; ids are UUIDs. */
export type DomainEvent = NamedEvent & {
  /** Given when the id is created before the event. */
  id?: string;
  accountId: string;
  contactId: string;
  /** The conversation that the event is about. The event then has the type of its channel. */
  conversationId?: string;
  occurredAt: Date;
  /** Not given for what people and receivers do. */
  cause?: Cause;
};

/** `depth` is the number of events and runs that caused one another before this one. */
export type Cause = {
  depth: number;
  /** The first run of the family of runs that has caused it; a UUID. */
  rootRunId?: string;
  /** The first run of the chain of runs and events that has caused it, also across contacts and External Requests; a UUID. */
  originRunId?: string;
  /** A contact has written, which is taken even where no run may begin. */
  isMessage?: boolean;
};
