import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { eventNames } from '../../../shared/events/names.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { EventSelect } from '../../parts/event-select.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { TimeRange } from '../../parts/time-range.tsx';
import { sayEvent } from '../../parts/told-event.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { To } from '../../parts/to.tsx';
import { ToChannels } from '../../parts/to-channels.tsx';

/** Settings, Logs, Events: what happened to contacts, whoever was told of it. */
export const Page = () => {
  const { t } = useTranslation('events');
  const { filters, setFilters, isFiltered, clear } = useFilters(['event', 'since', 'until']);
  const { since, until } = filters;
  const event = eventNames.find((name) => name === filters.event);
  const list = useList('/events', {
    query: { ...(event && { event }), ...(since !== undefined && { since }), ...(until !== undefined && { until }) },
  });
  return (
    <Frame title={t('title')} description={t('description')}>
      <FilterBar clear={clear}>
        <EventSelect value={event} onChange={(name) => setFilters({ event: name })} />
        <TimeRange range={filters} setRange={setFilters} />
      </FilterBar>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        minWidth={860}
        columns={[
          {
            heading: t('event'),
            show: ({ id, event: name }) => <To to={`/settings/logs/events/${id}`}>{name}</To>,
          },
          {
            heading: t('what'),
            width: '36%',
            show: (row) => (
              <Text size="sm" lineClamp={2}>
                {sayEvent(row)}
              </Text>
            ),
          },
          {
            heading: t('contact'),
            show: ({ contact_id: id }) => (id === null ? t('noContact') : <ContactLink id={id} />),
          },
          { heading: t('channel'), show: ({ channel }) => channel },
          { heading: t('at'), show: ({ timestamp }) => <Time at={timestamp} format="short" /> },
        ]}
        empty={
          isFiltered ? (
            <Empty title={t('noneFound')}>{t('noneFoundHint')}</Empty>
          ) : (
            <Empty title={t('empty')} action={<ToChannels />}>
              {t('emptyHint')}
            </Empty>
          )
        }
      />
    </Frame>
  );
};
