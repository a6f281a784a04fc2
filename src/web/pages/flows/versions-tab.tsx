import { Group, Text } from '@mantine/core';
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
import { useUsers } from '../../parts/use-users.ts';
import type { Draft } from './draft/use-draft.ts';
import { restoreVersion } from './publish/take-version.ts';
import { words as versionWords } from './publish/words.ts';
import { words } from './words.ts';

/** The versions of a flow, newest first: looked at, and made the draft again. */
export const VersionsTab = ({ flowId, draft }: { flowId: string; draft: Draft | undefined }) => {
  const { sayUser } = useUsers();
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
        { heading: versionWords.by, show: ({ published_by: by }) => (by === null ? null : sayUser(by)) },
        {
          heading: versionWords.note,
          show: ({ note }) => (
            <Text span size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {note}
            </Text>
          ),
        },
        { heading: words.draft.publishedAt, card: 'aside', show: ({ created_at }) => <Time at={created_at} /> },
        rowActions(
          ({ version }: Schemas['FlowVersion']) =>
            mayEdit &&
            draft && (
              <RowAction
                label={words.draft.restoreWhich(version)}
                onClick={() => restoreVersion(draft, { flowId, version })}
              >
                {words.draft.restore}
              </RowAction>
            ),
        ),
      ]}
      empty={<Empty title={words.draft.noVersions}>{words.draft.noVersionsHint}</Empty>}
    />
  );
};
