import { events, type PublicFact } from './facts.ts';

export type EventName = PublicFact['name'];

/** The events that a webhook can subscribe to (specification 6.1). */
export const eventNames: readonly EventName[] = events.map(({ name }) => name);

const declared: ReadonlyMap<EventName, PublicFact> = new Map(events.map((event) => [event.name, event]));

/** What an event of this name declares. */
export const eventOf = (name: EventName): PublicFact => {
  const event = declared.get(name);
  if (!event) throw new Error(`no event is named ${name}`);
  return event;
};

/** How a webhook was registered: by the API (variant A of the specification) or in the dashboard (variant B). */
export const variants = ['api', 'dashboard'] as const;

export type Variant = (typeof variants)[number];

/** The names of the events that webhooks of a variant may have. */
type NameOf<Of extends Variant> = {
  [Event in PublicFact as Event['name']]: Of extends Event['variants'][number] ? Event['name'] : never;
}[EventName];

const has =
  <Of extends Variant>(variant: Of) =>
  (name: EventName): name is NameOf<Of> =>
    eventOf(name).variants.some((one) => one === variant);

/** The events of a variant. */
export const eventsOfVariant = <Of extends Variant>(variant: Of): readonly NameOf<Of>[] =>
  eventNames.filter(has(variant));

/** Whether a webhook of this variant with these subscriptions receives the event. `*` means all events of the variant. */
export const subscribes = (variant: Variant, subscribed: readonly string[], name: EventName): boolean =>
  has(variant)(name) && (subscribed.includes('*') || subscribed.includes(name));
