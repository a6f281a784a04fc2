import { t as say } from 'i18next';
import { z } from 'zod/mini';
import type { EventName } from '../../shared/events/names.ts';
import type { Schemas } from '../api/client.ts';
import { addWords } from '../words/add-words.ts';
import { events } from '../words/en/events.ts';

addWords({ events });

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
  new_message: ({ message }) => message && say('events:told.new_message', message),
  new_contact: () => undefined,
  tag_applied: ({ tag }) => tag && say('events:told.tag_applied', tag),
  flow_completed: ({ flow }) => flow && say('events:told.flow_completed', flow),
  order_placed: ({ order }) => order && say('events:told.order_placed', order),
  order_status_changed: ({ order }) =>
    order && say('events:told.order_status_changed', { ...order, from: order.from ?? '', to: order.to ?? '' }),
  handover_requested: ({ handover }) => handover && say('events:told.handover_requested', { reason: handover.reason }),
  conversation_closed: () => undefined,
};

/** What happened, in a sentence. */
export const sayEvent = (event: Pick<Schemas['Event'], 'event' | 'data'>): string =>
  sentences[event.event](readTold(event)) ?? say(`events:meanings.${event.event}`);
