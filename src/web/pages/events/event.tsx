import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { readTold, sayEvent } from '../../parts/told-event.ts';
import { DeliveriesOfEvent } from './deliveries-of-event.tsx';
import { To } from '../../parts/to.tsx';

type Event = Schemas['EventWithDeliveries'];

/** One event: what it told, what it is about, and whom it was sent to. */
export const Page = () => {
  const { t } = useTranslation('events');
  const { id = '' } = useParams();
  const { data: event, error, refetch } = api.useQuery('get', '/events/{id}', { params: { path: { id } } });
  const above = [{ title: t('title'), to: '/settings/logs/events' }];
  if (!event) return <LoadingPage title={t('event')} above={above} error={error} retry={() => void refetch()} />;
  return (
    <Frame title={t('of', { event: event.event })} above={above}>
      <Paper withBorder p="md">
        <FactsOfEvent event={event} />
      </Paper>
      <Section title={t('data')} description={event.data === null ? t('noData') : t('dataHint')}>
        {event.data && <JsonText value={JSON.stringify(event.data, null, 2)} label={t('data')} />}
      </Section>
      <DeliveriesOfEvent eventId={id} />
    </Frame>
  );
};

const FactsOfEvent = ({ event }: { event: Event }) => {
  const { t } = useTranslation('events');
  const { id, contact_id, channel, timestamp } = event;
  const about = useAbout(event);
  return (
    <Facts
      stacks
      facts={[
        [
          t('what'),
          <Text key="what" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {sayEvent(event)}
          </Text>,
        ],
        [t('contact'), contact_id === null ? t('noContact') : <ContactLink key="contact" id={contact_id} />],
        [
          t('about'),
          about && (
            <To key="about" to={about.to}>
              {about.words}
            </To>
          ),
        ],
        [t('channel'), channel],
        [t('at'), <Time key="at" at={timestamp} />],
        [t('id'), <Copyable key="id" value={id} label={t('id')} />],
      ]}
    />
  );
};

/** What the event is about beside its contact, where that has a page. */
const useAbout = (event: Event): { to: string; words: string } | undefined => {
  const { t } = useTranslation(['orders', 'conversations']);
  const { order, flow, handover, conversation } = readTold(event);
  const conversationId = conversation?.id ?? handover?.conversation_id ?? undefined;
  if (order) return { to: `/orders/${order.id}`, words: t('one', { number: order.number }) };
  if (flow) return { to: `/flows/${flow.id}`, words: flow.name };
  if (conversationId !== undefined) return { to: `/conversations/${conversationId}`, words: t('conversations:one') };
  return undefined;
};
