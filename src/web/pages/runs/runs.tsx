import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { runStatuses } from './run-statuses.ts';
import { RunsTable } from './runs-table.tsx';

const noFilters = { status: null, flow: null, contact: null };

/** The runs of all flows: where each of them is, and what it waits for. */
export const Page = () => {
  const { t } = useTranslation(['runs', 'runStatus']);
  const { filters, setFilters, isFiltered } = useFilters(['status', 'flow', 'contact']);
  const status = runStatuses.find((known) => known === filters.status);
  const { flows, nameOf } = useFlowNames();
  const list = useList('/runs', {
    query: {
      ...(status && { status }),
      ...(filters.flow !== undefined && { flow_id: filters.flow }),
      ...(filters.contact !== undefined && { contact_id: filters.contact }),
    },
  });
  return (
    <Frame title={t('title')} description={t('description')}>
      <FilterBar clear={isFiltered ? () => setFilters(noFilters) : undefined}>
        <Select
          label={t('status')}
          placeholder={t('anyStatus')}
          data={runStatuses.map((value) => ({ value, label: t(`runStatus:statuses.${value}`) }))}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value })}
          clearable
        />
        <Select
          label={t('flow')}
          placeholder={t('anyFlow')}
          data={flows.map(({ id, name }) => ({ value: id, label: name }))}
          value={filters.flow ?? null}
          onChange={(value) => setFilters({ flow: value })}
          searchable
          clearable
        />
        <ContactSelect value={filters.contact} onChange={(value) => setFilters({ contact: value })} />
      </FilterBar>
      <RunsTable list={list} nameOf={nameOf} isFiltered={isFiltered} />
    </Frame>
  );
};
