import { Group } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { restoreVersion } from './restore-version.ts';
import { words } from './words.ts';

/** The versions of a flow, newest first: looked at, and made the draft again. */
export const VersionsTab = ({ flowId }: { flowId: string }) => {
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/flows/{id}/versions', { id: flowId });
  return (
    <DataTable
      label={words.draft.versions}
      list={list}
      keyOf={({ version }) => String(version)}
      linkOf={({ version }) => `/flows/${flowId}/versions/${version}`}
      columns={[
        {
          heading: words.version,
          show: ({ version }) => <To to={`/flows/${flowId}/versions/${version}`}>{words.versionOf(version)}</To>,
        },
        {
          heading: words.status,
          card: 'line',
          show: ({ is_current: isCurrent, open_runs: hasRuns }) => (
            <Group gap={6}>
              {isCurrent && <Status tone="good">{words.draft.current}</Status>}
              {hasRuns && <Status tone="busy">{words.draft.inUse}</Status>}
            </Group>
          ),
        },
        { heading: words.draft.publishedAt, card: 'aside', show: ({ created_at }) => <Time at={created_at} /> },
        rowActions(
          ({ version }: Schemas['FlowVersion']) =>
            mayEdit && (
              <RowAction label={words.draft.restoreWhich(version)} onClick={() => restoreVersion(flowId, version)}>
                {words.draft.restore}
              </RowAction>
            ),
        ),
      ]}
      empty={<Empty title={words.draft.noVersions}>{words.draft.noVersionsHint}</Empty>}
    />
  );
};
