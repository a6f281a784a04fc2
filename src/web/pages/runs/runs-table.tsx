import { useTranslation } from 'react-i18next';
import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { RunStatus } from '../../parts/run-status.tsx';
import { Time } from '../../parts/time.tsx';
import type { List, RowOf } from '../../parts/use-list.ts';
import { To } from '../../parts/to.tsx';

type Run = RowOf<'/runs'>;

type Props = {
  list: List<Run>;
  /** How a flow of a run is called; left out where all are of one. */
  nameOf?: (flowId: string) => string;
  isFiltered: boolean;
};

/** Runs, newest first, with where each of them is. */
export const RunsTable = ({ list, nameOf, isFiltered }: Props) => {
  const { t } = useTranslation('runs');
  const ofFlow: Column<Run>[] = nameOf
    ? [
        {
          heading: t('flow'),
          show: ({ flow_id: flowId }) => <To to={`/flows/${flowId}`}>{nameOf(flowId)}</To>,
        },
      ]
    : [];
  return (
    <DataTable
      label={t('list')}
      list={list}
      keyOf={({ id }) => id}
      minWidth={760}
      columns={[
        { heading: t('contact'), show: ({ contact_id: contactId }) => <ContactLink id={contactId} /> },
        ...ofFlow,
        { heading: t('state'), show: (run) => <RunStatus run={run} /> },
        { heading: t('started'), show: ({ started_at: at }) => <Time at={at} format="ago" /> },
        {
          heading: t('one'),
          align: 'right',
          show: ({ id }) => <To to={`/runs/${id}`}>{t('look')}</To>,
        },
      ]}
      empty={
        isFiltered ? (
          <Empty title={t('noneOfThem')}>{t('noneOfThemHint')}</Empty>
        ) : (
          <Empty title={t('empty')}>{t('emptyHint')}</Empty>
        )
      }
    />
  );
};
