import { z } from 'zod';
import { anyJson, asStored, codec, id, nullable, time as shownTime, type RowOf } from '../codec.ts';
import { askedTime, onAccountsClock } from '../times/storable-time.ts';
import { eventNames, eventOf, type EventName, type Variant } from '../facts/names.ts';

const time = z.iso.datetime().meta({ description: 'When the event occurred, in UTC.' });
const contactId = z.string().meta({ description: 'The contact, as GET /v1/contacts/{id} takes it.' });
const channel = z.string().meta({ description: 'The type of the channel, such as api.' });

/** The body of an event for a webhook of this variant (specification 2.2 and 2.3). */
export const envelopeBody = (variant: Variant, name: EventName): z.ZodType => {
  const event = z.literal(name);
  const { data, dashboardData = data } = eventOf(name);
  const contact = { contact_id: contactId, channel };
  if (variant === 'dashboard') return z.strictObject({ event, timestamp: time, ...contact, ...dashboardData.shape });
  const id = z.string().meta({ description: 'The same on every attempt: discard duplicates by it.' });
  return z.strictObject({ id, event, timestamp: time, data: z.strictObject({ ...contact, ...data.shape }) });
};

/** The filters of the event log, beside the paging. */
export const eventFilters = {
  event: z
    .enum(eventNames, { error: `must be of ${eventNames.join(', ')}` })
    .optional()
    .meta({ description: 'The name of the event.' }),
  since: askedTime.optional().meta({ description: `Only those of this time or later. ${onAccountsClock}` }),
  until: askedTime.optional().meta({ description: `Only those before this time. ${onAccountsClock}` }),
};

const loggedEvent = codec({
  id: id('event'),
  event: asStored(z.enum(eventNames)),
  timestamp: shownTime(),
  contact_id: nullable(id('contact')),
  channel: asStored(channel),
  data: nullable(asStored(z.record(z.string(), anyJson)), {
    description:
      'As receivers get it, without contact and channel, such as `{"tag": {"name": "vip"}}`. Null for agents.',
  }),
});

/** An event of the log. */
export const loggedEventBody = loggedEvent.body.meta({ id: 'Event' });

/** An event as it is stored; ids are UUIDs. */
export type LoggedEventRow = RowOf<typeof loggedEvent>;

export const showLoggedEvent = loggedEvent.show;
