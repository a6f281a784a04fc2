import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { RunStatus } from '../../../parts/run-status.tsx';
import { Time } from '../../../parts/time.tsx';
import { useFlowNames } from '../../../parts/use-flow-names.ts';
import { useList } from '../../../parts/use-list.ts';
import { To } from '../../../parts/to.tsx';

/** The contact's runs: where it is in which flow, and what it waits for. */
export const Runs = ({ contactId }: { contactId: string }) => {
  const { t } = useTranslation('contact');
  const list = useList('/runs', { query: { contact_id: contactId }, limit: 25 });
  const { nameOf: sayFlow } = useFlowNames();
  return (
    <DataTable
      label={t('tabs.runs')}
      list={list}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: t('flow'),
          show: ({ id, flow_id }) => (
            <To to={`/runs/${id}`} aria-label={`${t('open')}: ${sayFlow(flow_id)}`}>
              {sayFlow(flow_id)}
            </To>
          ),
        },
        { heading: t('status'), show: (run) => <RunStatus run={run} /> },
        { heading: t('started'), show: ({ started_at }) => <Time at={started_at} /> },
      ]}
      empty={<Empty title={t('runsEmpty')}>{t('runsEmptyHint')}</Empty>}
    />
  );
};
