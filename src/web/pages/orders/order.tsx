import { Button, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { sayMoney } from '../../parts/money.ts';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { OrderStatus } from '../../parts/order-status.tsx';
import { Time } from '../../parts/time.tsx';
import { listOf } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { orderWords } from '../../words/orders.ts';
import { ChangeStatus } from './change-status.tsx';
import { words } from './words.ts';

type Order = Schemas['Order'];

/** One order: what was ordered, by whom, and the statuses that it had. */
export const Page = () => {
  const { id = '' } = useParams();
  const mayChange = mayAs('editor', useSignedIn());
  const asked = api.useQuery('get', '/orders/{id}', { params: { path: { id } } });
  const { data: order, error, refetch } = asked;
  const [isChanging, { open, close }] = useDisclosure();
  const above = [{ title: words.title, to: '/orders' }];
  if (!order) return <LoadingPage title={orderWords.number} above={above} error={error} retry={() => void refetch()} />;
  const metadata = Object.keys(order.metadata).length > 0 ? JSON.stringify(order.metadata, null, 2) : undefined;
  return (
    <Frame
      reading={readingOf(asked)}
      title={orderWords.one(order.number)}
      above={above}
      actions={mayChange && <Button onClick={open}>{words.changeStatus}</Button>}
    >
      <Paper withBorder p="md">
        <FactsOfOrder order={order} />
      </Paper>
      <Items order={order} />
      <History order={order} />
      {metadata !== undefined && (
        <Section title={words.metadata}>
          <JsonText value={metadata} label={words.metadata} />
        </Section>
      )}
      {isChanging && <ChangeStatus order={order} close={close} />}
    </Frame>
  );
};

const FactsOfOrder = ({ order }: { order: Order }) => (
  <Facts
    facts={[
      [orderWords.status, <OrderStatus key="status" status={order.status} />],
      [words.contact, <ContactLink key="contact" id={order.contact_id} />],
      [orderWords.total, sayMoney(order.total, order.currency)],
      [orderWords.placed, <Time key="placed" at={order.placed_at} />],
      [words.updated, <Time key="updated" at={order.updated_at} />],
      [words.externalId, <Copyable key="external" value={order.external_id} label={words.externalId} />],
      [words.id, <Copyable key="id" value={order.id} label={words.id} />],
    ]}
  />
);

const Items = ({ order: { items, currency } }: { order: Order }) => (
  <Section title={words.items}>
    <DataTable
      label={words.items}
      // The same item may stand there twice: the place tells them apart.
      list={listOf(items.map((item, place) => ({ ...item, place })))}
      keyOf={({ place }) => String(place)}
      minWidth={480}
      columns={[
        { heading: words.item, show: ({ name }) => name },
        { heading: words.sku, card: 'line', show: ({ sku }) => sku },
        { heading: words.quantity, align: 'right', card: 'end', cardHeading: true, show: ({ quantity }) => quantity },
        {
          heading: words.unitPrice,
          align: 'right',
          card: 'aside',
          show: ({ unit_price: price }) => price !== null && sayMoney(price, currency),
        },
      ]}
      empty={
        <Text size="sm" c="dimmed">
          {words.noItems}
        </Text>
      }
    />
  </Section>
);

const History = ({ order: { status_history: statuses } }: { order: Order }) => (
  <Section title={words.history}>
    <DataTable
      label={words.history}
      list={listOf(statuses.toReversed())}
      keyOf={({ status, changed_at: at }) => `${status} ${at}`}
      minWidth={280}
      columns={[
        { heading: orderWords.status, show: ({ status }) => <OrderStatus status={status} /> },
        { heading: words.since, card: 'aside', show: ({ changed_at: at }) => <Time at={at} /> },
      ]}
      empty={null}
    />
  </Section>
);
