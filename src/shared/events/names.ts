/** The events that a webhook can subscribe to (specification 6.1). */
export const eventNames = [
  'new_message',
  'new_contact',
  'tag_applied',
  'flow_completed',
  'order_placed',
  'order_status_changed',
  'handover_requested',
  'conversation_closed',
] as const;

export type EventName = (typeof eventNames)[number];

/** How a webhook was registered: by the API (variant A of the specification) or in the dashboard (variant B). */
export const variants = ['api', 'dashboard'] as const;

export type Variant = (typeof variants)[number];

/** The events of variant B. Only variant A has conversation_closed (specification 6.1). */
export const dashboardEventNames = eventNames.filter((name) => name !== 'conversation_closed');

/** The events of a variant. */
export const eventsOfVariant = (variant: Variant): readonly EventName[] =>
  variant === 'api' ? eventNames : dashboardEventNames;

/** Whether a webhook of this variant with these subscriptions receives the event. `*` means all events of the variant. */
export const subscribes = (variant: Variant, subscribed: readonly string[], name: EventName): boolean =>
  eventsOfVariant(variant).includes(name) && (subscribed.includes('*') || subscribed.includes(name));
