import { z } from 'zod/mini';
import type { EventName } from '../../shared/events/names.ts';
import type { Schemas } from '../api/client.ts';
import { eventWords } from '../words/events.ts';

/** What events tell beside their contact and channel, as far as pages show it. Agents get none of it. */
const told = z.object({
  message: z.optional(z.object({ text: z.string() })),
  tag: z.optional(z.object({ name: z.string() })),
  flow: z.optional(z.object({ id: z.string(), name: z.string() })),
  order: z.optional(
    z.object({ id: z.string(), number: z.string(), from: z.optional(z.string()), to: z.optional(z.string()) }),
  ),
  handover: z.optional(z.object({ reason: z.string(), conversation_id: z.nullable(z.string()) })),
  conversation: z.optional(z.object({ id: z.string() })),
});

type Told = z.infer<typeof told>;

/** What an event tells; nothing for what cannot be read. */
export const readTold = ({ data }: Pick<Schemas['Event'], 'data'>): Told => told.safeParse(data).data ?? {};

/** Of each event, the sentence with what it tells. */
const sentences: Record<EventName, (told: Told) => string | undefined> = {
  new_message: ({ message }) => message && eventWords.told.new_message(message.text),
  new_contact: () => undefined,
  tag_applied: ({ tag }) => tag && eventWords.told.tag_applied(tag.name),
  flow_completed: ({ flow }) => flow && eventWords.told.flow_completed(flow.name),
  order_placed: ({ order }) => order && eventWords.told.order_placed(order.number),
  order_status_changed: ({ order }) =>
    order && eventWords.told.order_status_changed({ ...order, from: order.from ?? '', to: order.to ?? '' }),
  handover_requested: ({ handover }) => handover && eventWords.told.handover_requested(handover.reason),
  conversation_closed: () => undefined,
};

/** What happened, in a sentence. */
export const sayEvent = (event: Pick<Schemas['Event'], 'event' | 'data'>): string =>
  sentences[event.event](readTold(event)) ?? eventWords.meanings[event.event];
