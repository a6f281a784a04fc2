import { MultiSelect, Pill, Select } from '@mantine/core';
import { deliveryStatuses } from '../../../shared/deliveries/types.ts';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { EventSelect } from '../../parts/event-select.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { TimeRange } from '../../parts/time-range.tsx';
import type { useLogFilters } from './use-log-filters.ts';
import type { Webhooks } from '../../parts/use-webhooks.ts';
import { deliveryWords } from '../../words/deliveries.ts';
import { words } from './words.ts';

type Props = { log: ReturnType<typeof useLogFilters>; webhooks: Webhooks };

/** What the log is narrowed by. */
export const LogFilters = ({ log, webhooks }: Props) => {
  const { filters, setStatuses, change, clear } = log;
  return (
    <FilterBar clear={clear}>
      <MultiSelect
        label={deliveryWords.status}
        placeholder={filters.statuses.length === 0 ? words.allStatuses : undefined}
        data={deliveryStatuses.map((status) => ({ value: status, label: deliveryWords.statuses[status] }))}
        // The three statuses that it opens on stand in one line, so that all labels do.
        style={{ flex: '2 1 340px', maxWidth: 420 }}
        value={[...filters.statuses]}
        onChange={setStatuses}
      />
      <Select
        label={deliveryWords.webhook}
        placeholder={words.allWebhooks}
        data={webhooks.list.map(({ id, url }) => ({ value: id, label: url }))}
        value={filters.webhook_id ?? null}
        onChange={(id) => change({ webhook_id: id })}
        searchable
        clearable
      />
      <EventSelect value={filters.event} onChange={(name) => change({ event: name })} />
      <ContactSelect value={filters.contact_id} onChange={(id) => change({ contact_id: id })} />
      <TimeRange range={filters} setRange={change} />
      <Select
        label={words.tests}
        data={[
          { value: 'both', label: words.testsWith },
          { value: 'true', label: words.testsOnly },
          { value: 'false', label: words.testsNone },
        ]}
        value={filters.test ?? 'both'}
        allowDeselect={false}
        onChange={(test) => change({ test: test === 'both' ? null : test })}
      />
      {(['event_id', 'message_id'] as const).map((name) => {
        const id = filters[name];
        if (id === undefined) return null;
        return (
          <Pill
            key={name}
            size="md"
            withRemoveButton
            onRemove={() => change({ [name]: null })}
            removeButtonProps={{ 'aria-label': words.takeAway, 'aria-hidden': false, tabIndex: 0 }}
          >
            {words.onlyOf[name](id)}
          </Pill>
        );
      })}
    </FilterBar>
  );
};
