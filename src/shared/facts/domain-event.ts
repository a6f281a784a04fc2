import type { z } from 'zod';
import type { PublicFact } from './facts.ts';
import { eventOf, type EventName } from './names.ts';

type Declared<Name extends EventName> = Extract<PublicFact, { name: Name }>['data'];

/** What an event has beside its contact and channel: one object, named after its noun. Only new_contact has none. */
type Told<Data extends z.ZodObject> = keyof Data['shape'] extends never ? object : z.output<Data>;

/** An event of this name, or of any, with its object. Ids in the object are TypeIDs. */
export type NamedEvent<Name extends EventName = EventName> = { [N in Name]: { name: N } & Told<Declared<N>> }[Name];

/** The payload without contact_id and channel, as variant A sends it and the event log keeps it. */
export const payloadOf = (event: NamedEvent) => {
  const { shape } = eventOf(event.name).data;
  return Object.fromEntries(Object.entries(event).filter(([key]) => key in shape));
};

/** An event as it is sent; `contactId` is a TypeID. */
export type EventToSend = NamedEvent & { contactId: string; channel: string; occurredAt: Date };

/** Something that happened to a contact, as the code that tells it knows it; ids are UUIDs. */
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
