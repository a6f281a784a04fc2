import { Paper, Text } from '@mantine/core';
import { useParams } from 'react-router';
import { z } from 'zod/mini';
import { eventOf } from '../../../shared/facts/names.ts';
import { api, type Schemas } from '../../api/client.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { eventKind } from '../../parts/kinds/event-kinds.ts';
import { KindIcon } from '../../parts/kinds/kind-icon.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { DeliveriesOfEvent } from './deliveries-of-event.tsx';
import { To } from '../../parts/to.tsx';
import { conversationWords } from '../../words/conversations.ts';
import { orderWords } from '../../words/orders.ts';
import { words } from './words.ts';

type Event = Schemas['EventWithDeliveries'];

/** One event: what it told, what it is about, and whom it was sent to. */
export const Page = () => {
  const { id = '' } = useParams();
  const asked = api.useQuery('get', '/events/{id}', { params: { path: { id } } });
  const { data: event, error, refetch } = asked;
  const above = [{ title: words.title, to: '/settings/logs/events' }];
  if (!event) return <LoadingPage title={words.event} above={above} error={error} retry={() => void refetch()} />;
  return (
    <Frame
      reading={readingOf(asked)}
      title={words.of(event.event)}
      above={above}
      mark={<KindIcon kind={eventKind(event.event)} size={36} />}
    >
      <Paper withBorder p="md">
        <FactsOfEvent event={event} />
      </Paper>
      <Section title={words.data} description={event.data === null ? words.noData : words.dataHint}>
        {event.data && <JsonText value={JSON.stringify(event.data, null, 2)} label={words.data} />}
      </Section>
      <DeliveriesOfEvent eventId={id} />
    </Frame>
  );
};

const FactsOfEvent = ({ event }: { event: Event }) => {
  const { id, contact_id, channel, timestamp } = event;
  const about = useAbout(event);
  return (
    <Facts
      stacks
      facts={[
        [
          words.what,
          <Text key="what" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {eventOf(event.event).say(event.data)}
          </Text>,
        ],
        [words.contact, contact_id === null ? words.noContact : <ContactLink key="contact" id={contact_id} />],
        [
          words.about,
          about && (
            <To key="about" to={about.to}>
              {about.words}
            </To>
          ),
        ],
        [words.channel, channel],
        [words.at, <Time key="at" at={timestamp} format="exact" />],
        [words.id, <Copyable key="id" value={id} label={words.id} />],
      ]}
    />
  );
};

/** The objects of events that have a page. */
const subjects = z.object({
  flow: z.optional(z.object({ id: z.string(), name: z.string() })),
  order: z.optional(z.object({ id: z.string(), number: z.string() })),
  handover: z.optional(z.object({ conversation_id: z.nullable(z.string()) })),
  conversation: z.optional(z.object({ id: z.string() })),
});

/** What the event is about beside its contact, where that has a page. Agents get no data. */
const useAbout = ({ data }: Event): { to: string; words: string } | undefined => {
  const { order, flow, handover, conversation } = subjects.safeParse(data).data ?? {};
  const conversationId = conversation?.id ?? handover?.conversation_id ?? undefined;
  if (order) return { to: `/orders/${order.id}`, words: orderWords.one(order.number) };
  if (flow) return { to: `/flows/${flow.id}`, words: flow.name };
  if (conversationId !== undefined) return { to: `/inbox/${conversationId}`, words: conversationWords.one };
  return undefined;
};
