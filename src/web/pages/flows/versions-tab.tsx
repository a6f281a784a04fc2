import { Anchor, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { restoreVersion } from './restore-version.ts';

/** The versions of a flow, newest first: looked at, and made the draft again. */
export const VersionsTab = ({ flowId }: { flowId: string }) => {
  const { t } = useTranslation(['draft', 'flows']);
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/flows/{id}/versions', { id: flowId });
  return (
    <DataTable
      label={t('versions')}
      list={list}
      keyOf={({ version }) => String(version)}
      columns={[
        {
          heading: t('flows:version'),
          show: ({ version }) => (
            <Anchor component={Link} to={`/flows/${flowId}/versions/${version}`}>
              {t('flows:versionOf', { version })}
            </Anchor>
          ),
        },
        {
          heading: t('flows:status'),
          show: ({ is_current: isCurrent, open_runs: hasRuns }) => (
            <Group gap={6}>
              {isCurrent && <Status tone="good">{t('current')}</Status>}
              {hasRuns && <Status tone="busy">{t('inUse')}</Status>}
            </Group>
          ),
        },
        { heading: t('publishedAt'), show: ({ created_at }) => <Time at={created_at} /> },
        rowActions(
          ({ version }: Schemas['FlowVersion']) =>
            mayEdit && (
              <RowAction label={t('restoreWhich', { version })} onClick={() => restoreVersion(flowId, version)}>
                {t('restore')}
              </RowAction>
            ),
        ),
      ]}
      empty={<Empty title={t('noVersions')}>{t('noVersionsHint')}</Empty>}
    />
  );
};
