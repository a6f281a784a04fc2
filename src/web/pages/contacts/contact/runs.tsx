import { DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { RunStatus } from '../../../parts/run-status.tsx';
import { Time } from '../../../parts/time.tsx';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useList } from '../../../parts/use-list.ts';
import { To } from '../../../parts/to.tsx';
import { words } from './words.ts';

/** The contact's runs: where it is in which flow, and what it waits for. */
export const Runs = ({ contactId }: { contactId: string }) => {
  const list = useList('/runs', { query: { contact_id: contactId }, limit: 25 });
  const { nameOf: sayFlow } = useFlowNames();
  return (
    <DataTable
      label={words.tabs.runs}
      list={list}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/runs/${id}`}
      columns={[
        {
          heading: words.flow,
          show: ({ id, flow_id }) => (
            <To to={`/runs/${id}`} aria-label={`${words.open}: ${sayFlow(flow_id)}`}>
              {sayFlow(flow_id)}
            </To>
          ),
        },
        { heading: words.status, card: 'line', show: (run) => <RunStatus run={run} /> },
        { heading: words.started, card: 'aside', show: ({ started_at }) => <Time at={started_at} /> },
      ]}
      empty={<Empty title={words.runsEmpty}>{words.runsEmptyHint}</Empty>}
    />
  );
};
