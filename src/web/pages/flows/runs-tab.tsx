import { Group, Select, Stack } from '@mantine/core';
import { api } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { useCount } from '../../parts/use-count.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { FailedRuns } from '../retries/failed-runs.tsx';
import { RunStatusSelect } from '../runs/run-status-select.tsx';
import { runStatuses } from '../runs/run-statuses.ts';
import { RunsTable } from '../runs/runs-table.tsx';
import { BulkRuns } from './bulk-runs.tsx';
import { RunCounts } from './run-counts.tsx';
import { words } from './words.ts';

/** The runs of one flow: what became of those of the past week, and the list, by status and by the block that they are at, changed one by one or all together. */
export const RunsTab = ({ flowId }: { flowId: string }) => {
  const mayEdit = mayAs('editor', useSignedIn());
  const { filters, setFilters, isFiltered, clear } = useFilters(['status', 'block']);
  const status = runStatuses.find((known) => known === filters.status);
  const { block } = filters;
  const stats = api.useQuery('get', '/flows/{id}/stats', { params: { path: { id: flowId } } });
  const query = { flow_id: flowId, ...(status && { status }), ...(block !== undefined && { block_id: block }) };
  const list = useList('/runs', { query });
  const count = useCount('/runs/count', list, query);
  const blocks = new Set([...(stats.data?.blocks ?? []).map(({ block_id: id }) => id), ...(block ? [block] : [])]);
  return (
    <Stack gap="md">
      <FailedRuns flowId={flowId} mayEdit={mayEdit} />
      <RunCounts stats={stats.data} choose={(chosen) => setFilters({ status: chosen })} />
      <Group justify="space-between" align="flex-end">
        <FilterBar clear={clear}>
          <RunStatusSelect value={status} onChange={(value) => setFilters({ status: value })} />
          <Select
            label={words.runs.block}
            placeholder={words.runs.anyBlock}
            data={[...blocks]}
            value={block ?? null}
            onChange={(value) => setFilters({ block: value })}
            searchable
            clearable
          />
        </FilterBar>
        {mayEdit && <BulkRuns flowId={flowId} blockId={block} />}
      </Group>
      <RunsTable list={list} count={count} isFiltered={isFiltered} />
    </Stack>
  );
};
