import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { eventOf } from '../../../../shared/facts/names.ts';
import { unreachable } from '../../../../shared/unreachable.ts';
import type { Schemas } from '../../../api/client.ts';
import { MessageStatus } from '../../../parts/message-status.tsx';
import { sayMoney } from '../../../parts/money.ts';
import { RunStatus } from '../../../parts/run-status.tsx';
import { Time } from '../../../parts/time.tsx';
import { words } from './words.ts';

type Entry = Schemas['TimelineEntry'];

type TitleProps = { entry: Entry; sayFlow: (id: string) => string };

/** What happened, and when. It leads to what it is about. */
export const EntryTitle = ({ entry, sayFlow }: TitleProps) => {
  const say = useSayEntry(sayFlow);
  const to = placeOf(entry);
  return (
    <Group gap="xs">
      {to === undefined ? (
        <Text span size="sm" fw={600}>
          {say(entry)}
        </Text>
      ) : (
        <Anchor component={Link} to={to} size="sm" fw={600}>
          {say(entry)}
        </Anchor>
      )}
      <Text span size="xs" c="dimmed" fw={400}>
        <Time at={entry.at} />
      </Text>
    </Group>
  );
};

const placeOf = (entry: Entry): string | undefined => {
  switch (entry.type) {
    case 'event':
      return `/settings/logs/events/${entry.event.id}`;
    case 'run':
      return `/runs/${entry.run.id}`;
    case 'message':
      return `/inbox/${entry.message.conversation_id}`;
    case 'order':
      return `/orders/${entry.order.id}`;
    case 'tag':
      return undefined;
    default:
      return unreachable(entry);
  }
};

const useSayEntry =
  (sayFlow: (id: string) => string): ((entry: Entry) => string) =>
  (entry) => {
    switch (entry.type) {
      case 'message':
        return entry.message.direction === 'inbound' ? words.wrote : words.wasWritten;
      case 'tag':
        return words.gotTag(entry.tag.name);
      case 'order':
        return words.placedOrder(entry.order.number);
      case 'run':
        return words.entered(sayFlow(entry.run.flow_id));
      case 'event':
        return eventOf(entry.event.event).say(entry.event.data);
      default:
        return unreachable(entry);
    }
  };

/** What there is to it beside its title. */
export const EntryBody = ({ entry }: { entry: Entry }) => {
  switch (entry.type) {
    case 'message':
      return (
        <>
          <Text size="sm" lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {entry.message.text}
          </Text>
          <MessageStatus message={entry.message} />
        </>
      );
    case 'order':
      return <Text size="sm">{`${sayMoney(entry.order.total, entry.order.currency)} · ${entry.order.status}`}</Text>;
    case 'run':
      return <RunStatus run={entry.run} />;
    case 'tag':
    case 'event':
      return null;
    default:
      return unreachable(entry);
  }
};
