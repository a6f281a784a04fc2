import { Select } from '@mantine/core';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { ListViews } from '../../parts/list-views.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { TemporalViews, viewsOfRuns } from '../../parts/temporal-views.tsx';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import { useCount } from '../../parts/use-count.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { RunStatusSelect } from './run-status-select.tsx';
import { runStatuses } from './run-statuses.ts';
import { RunsTable } from './runs-table.tsx';
import { words } from './words.ts';

/** The runs of all flows: where each of them is, and what it waits for. */
export const Page = () => {
  const { filters, setFilters, isFiltered, clear } = useFilters(['status', 'flow', 'contact']);
  const status = runStatuses.find((known) => known === filters.status);
  const { flows, nameOf } = useFlowNames();
  const query = {
    ...(status && { status }),
    ...(filters.flow !== undefined && { flow_id: filters.flow }),
    ...(filters.contact !== undefined && { contact_id: filters.contact }),
  };
  const list = useList('/runs', { query });
  const count = useCount('/runs/count', list, query);
  return (
    <Frame title={words.title} description={words.description}>
      <ListViews list="runs" />
      <FilterBar clear={clear}>
        <RunStatusSelect value={status} onChange={(value) => setFilters({ status: value })} />
        <Select
          label={words.flow}
          placeholder={words.anyFlow}
          data={flows.map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.flow ?? null}
          onChange={(value) => setFilters({ flow: value })}
          searchable
          clearable
        />
        <ContactSelect value={filters.contact} onChange={(value) => setFilters({ contact: value })} />
      </FilterBar>
      <RunsTable list={list} count={count} nameOf={nameOf} isFiltered={isFiltered} />
      <TemporalViews views={viewsOfRuns} />
    </Frame>
  );
};
