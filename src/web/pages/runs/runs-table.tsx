import { IconPlayerPlay, IconSearchOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ContactName } from '../../parts/contact-link.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/empty.tsx';
import { RunBadge, RunPlace } from '../../parts/run-status.tsx';
import { Time } from '../../parts/time.tsx';
import { useColumns } from '../../parts/use-columns.ts';
import type { CountOfRows } from '../../parts/use-count.ts';
import type { List, RowOf } from '../../parts/use-list.ts';
import { To } from '../../parts/to.tsx';
import { mayAs } from '../../api/session.ts';
import { useSelection } from '../../parts/use-selection.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { BulkOfRuns } from './bulk-runs.tsx';
import { words } from './words.ts';

type Run = RowOf<'/runs'>;

type Props = {
  list: List<Run>;
  count: CountOfRows | undefined;
  /** How a flow of a run is called; left out where all are of one. */
  nameOf?: (flowId: string) => string;
  isFiltered: boolean;
};

const linkOf = ({ id }: Run): string => `/runs/${id}`;

/** Runs, newest first: where each of them is, since when, and until when it waits or when it ended. */
export const RunsTable = ({ list, count, nameOf, isFiltered }: Props) => {
  const mayChange = mayAs('editor', useSignedIn());
  const selection = useSelection(list.rows);
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);
  const choice = useColumns('runs', columns);
  return (
    <DataTable
      label={words.list}
      list={list}
      keyOf={({ id }) => id}
      linkOf={linkOf}
      selection={mayChange ? selection : undefined}
      bulk={mayChange && <BulkOfRuns selection={selection} />}
      counted={words.counted}
      count={count}
      minWidth={880}
      columns={choice.shown}
      choice={choice}
      empty={
        isFiltered ? (
          <Empty icon={IconSearchOff} title={words.noneOfThem}>
            {words.noneOfThemHint}
          </Empty>
        ) : (
          <Empty icon={IconPlayerPlay} title={words.empty}>
            {words.emptyHint}
          </Empty>
        )
      }
    />
  );
};

const columnsOf = (nameOf: Props['nameOf']): Column<Run>[] => [
  {
    heading: words.contact,
    width: 180,
    show: (run) => (
      <To to={linkOf(run)}>
        <ContactName id={run.contact_id} />
      </To>
    ),
  },
  ...(nameOf
    ? [
        {
          key: 'flow',
          heading: words.flow,
          card: 'hidden' as const,
          show: ({ flow_id: flowId }: Run) => <To to={`/flows/${flowId}`}>{nameOf(flowId)}</To>,
        },
      ]
    : []),
  { key: 'status', heading: words.status, card: 'end', width: 120, show: ({ status }) => <RunBadge status={status} /> },
  {
    key: 'state',
    heading: words.state,
    card: 'line',
    show: (run) => (
      <span className="beside">
        <RunPlace run={run} />
      </span>
    ),
  },
  {
    key: 'since',
    heading: words.since,
    card: 'aside',
    width: 130,
    show: ({ waiting_since: waits, started_at: started, ended_at: ended }) => (
      <Time at={(ended === null && waits) || started} />
    ),
  },
  {
    key: 'until',
    heading: words.until,
    card: 'hidden',
    width: 130,
    show: ({ wakes_at: wakes, ended_at: ended }) => {
      const until = ended ?? wakes;
      return until !== null && <Time at={until} {...(ended === null && { format: 'ahead' })} />;
    },
  },
];
