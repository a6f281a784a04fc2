import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConversationStatus } from '../../../parts/conversation-columns.tsx';
import { linkOfConversation } from '../../../parts/link-of-conversation.ts';
import { Failure } from '../../../parts/failure.tsx';
import { sayMoney } from '../../../parts/money.ts';
import { linkOfOrder } from '../../../parts/order-columns.tsx';
import { OrderStatus } from '../../../parts/order-status.tsx';
import { RunBadge, RunPlace } from '../../../parts/run-status.tsx';
import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { To } from '../../../parts/to.tsx';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useList, type List } from '../../../parts/use-list.ts';
import { conversationWords } from '../../../words/conversations.ts';
import { words as all } from '../words.ts';

const words = all.context;

/** As many as the column has room for; the contact's page has all of them. */
const limit = 5;

type Props<Row> = { title: string; none: string; list: List<Row>; show: (row: Row) => ReactNode };

const Short = <Row extends { id: string }>({ title, none, list: { rows, error, retry }, show }: Props<Row>) => (
  <Section title={title}>
    {error ? <Failure error={error} retry={retry} /> : null}
    {rows?.length === 0 && (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )}
    <Stack gap="xs" component="ul" className="plain-list">
      {rows?.map((row) => (
        <li key={row.id}>{show(row)}</li>
      ))}
    </Stack>
  </Section>
);

/** The runs of the contact, each with its place in its flow. */
export const Runs = ({ contactId }: { contactId: string }) => {
  const { nameOf } = useFlowNames();
  return (
    <Short
      title={words.runs}
      none={words.noRuns}
      list={useList('/runs', { query: { contact_id: contactId }, limit })}
      show={(run) => (
        <>
          <To to={`/runs/${run.id}`}>{nameOf(run.flow_id)}</To> <RunBadge status={run.status} /> <RunPlace run={run} />
        </>
      )}
    />
  );
};

/** What else is said with the contact. */
export const OtherConversations = ({ contactId, openedId }: { contactId: string; openedId: string }) => {
  const list = useList('/conversations', {
    query: { contact_id: contactId, order: 'latest_message' },
    limit: limit + 1,
  });
  const rows = list.rows?.filter(({ id }) => id !== openedId).slice(0, limit);
  return (
    <Short
      title={words.others}
      none={words.noOthers}
      list={{ ...list, rows }}
      show={(conversation) => (
        <>
          <To to={linkOfConversation(conversation)}>
            {conversation.last_message?.text || conversationWords.noMessage}
          </To>{' '}
          <ConversationStatus conversation={conversation} />{' '}
          <Time at={conversation.last_message?.created_at ?? conversation.created_at} />
        </>
      )}
    />
  );
};

/** What the contact has ordered. */
export const Orders = ({ contactId }: { contactId: string }) => (
  <Short
    title={words.orders}
    none={words.noOrders}
    list={useList('/orders', { query: { contact_id: contactId }, limit })}
    show={(order) => (
      <>
        <To to={linkOfOrder(order)}>{order.number}</To> <OrderStatus status={order.status} />{' '}
        {sayMoney(order.total, order.currency)} · <Time at={order.placed_at} />
      </>
    )}
  />
);
