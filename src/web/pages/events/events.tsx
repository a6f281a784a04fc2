import { Text } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { eventNames, eventOf } from '../../../shared/facts/names.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilteredList } from '../../parts/filtered-list.tsx';
import { EventSelect } from '../../parts/event-select.tsx';
import { eventKind } from '../../parts/kinds/event-kinds.ts';
import { KindIcon } from '../../parts/kinds/kind-icon.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { TimeRange } from '../../parts/time-range.tsx';
import { useCount } from '../../parts/use-count.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList, type RowOf } from '../../parts/use-list.ts';
import { To } from '../../parts/to.tsx';
import { ToChannels } from '../../parts/to-channels.tsx';
import { words } from './words.ts';

type LoggedEvent = RowOf<'/events'>;

const linkOfEvent = ({ id }: Pick<LoggedEvent, 'id'>): string => `/settings/logs/events/${id}`;

const columns: Column<LoggedEvent>[] = [
  {
    heading: words.event,
    show: ({ id, event: name }) => (
      <span className="with-mark">
        <KindIcon kind={eventKind(name)} />
        <To to={linkOfEvent({ id })}>{name}</To>
      </span>
    ),
  },
  {
    key: 'what',
    heading: words.what,
    card: 'line',
    width: '36%',
    show: (row) => (
      <Text size="sm" lineClamp={2}>
        {eventOf(row.event).say(row.data)}
      </Text>
    ),
  },
  {
    key: 'contact',
    heading: words.contact,
    card: 'end',
    show: ({ contact_id: id }) => (id === null ? words.noContact : <ContactLink id={id} />),
  },
  { key: 'channel', heading: words.channel, card: 'hidden', show: ({ channel }) => channel },
  { key: 'at', heading: words.at, card: 'aside', show: ({ timestamp }) => <Time at={timestamp} /> },
];

/** Settings, Logs, Events: what happened to contacts, whoever was told of it. */
export const Page = () => {
  const { filters, setFilters, clear } = useFilters(['event', 'since', 'until']);
  const { since, until } = filters;
  const event = eventNames.find((name) => name === filters.event);
  const query = {
    ...(event && { event }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const list = useList('/events', { query });
  const count = useCount('/events/count', list, query);
  return (
    <Frame title={words.title} description={words.description}>
      <FilteredList
        name="events"
        label={words.list}
        counted={words.counted}
        noneFound={words.noneFound}
        noneFoundHint={words.noneFoundHint}
        clear={clear}
        filters={
          <>
            <EventSelect value={event} onChange={(name) => setFilters({ event: name })} />
            <TimeRange range={filters} setRange={setFilters} />
          </>
        }
        list={list}
        linkOf={linkOfEvent}
        count={count}
        minWidth={860}
        columns={columns}
        empty={
          <Empty icon={IconBolt} title={words.empty} action={<ToChannels />}>
            {words.emptyHint}
          </Empty>
        }
      />
    </Frame>
  );
};
