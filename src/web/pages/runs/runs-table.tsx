import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { RunStatus } from '../../parts/run-status.tsx';
import { Time } from '../../parts/time.tsx';
import type { List, RowOf } from '../../parts/use-list.ts';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

type Run = RowOf<'/runs'>;

type Props = {
  list: List<Run>;
  /** How a flow of a run is called; left out where all are of one. */
  nameOf?: (flowId: string) => string;
  isFiltered: boolean;
};

/** Runs, newest first, with where each of them is. */
export const RunsTable = ({ list, nameOf, isFiltered }: Props) => {
  const ofFlow: Column<Run>[] = nameOf
    ? [
        {
          heading: words.flow,
          show: ({ flow_id: flowId }) => <To to={`/flows/${flowId}`}>{nameOf(flowId)}</To>,
        },
      ]
    : [];
  return (
    <DataTable
      label={words.list}
      list={list}
      keyOf={({ id }) => id}
      minWidth={760}
      columns={[
        { heading: words.contact, show: ({ contact_id: contactId }) => <ContactLink id={contactId} /> },
        ...ofFlow,
        { heading: words.state, show: (run) => <RunStatus run={run} /> },
        { heading: words.started, show: ({ started_at: at }) => <Time at={at} format="ago" /> },
        {
          heading: words.one,
          align: 'right',
          show: ({ id }) => <To to={`/runs/${id}`}>{words.look}</To>,
        },
      ]}
      empty={
        isFiltered ? (
          <Empty title={words.noneOfThem}>{words.noneOfThemHint}</Empty>
        ) : (
          <Empty title={words.empty}>{words.emptyHint}</Empty>
        )
      }
    />
  );
};
