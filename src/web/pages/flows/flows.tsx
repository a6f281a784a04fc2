import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconRoute, IconSearchOff } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { sayCapped } from '../../parts/say-capped.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { CreateFlow } from './create-flow.tsx';
import { FlowStatus } from './flow-status.tsx';
import { ImportFlow } from './import-flow.tsx';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

type Flow = Schemas['Flow'];

/** The API counts the open runs of a flow of a list up to this many, which means that many or more. */
const openRunsCap = 1_001;

const statuses = ['draft', 'live', 'paused', 'archived'] as const satisfies readonly Flow['status'][];

/** The flows of the account: created, imported, and found by their state. */
export const Page = () => {
  const mayEdit = mayAs('editor', useSignedIn());
  const { filters, setFilters } = useFilters(['status']);
  const status = statuses.find((known) => known === filters.status);
  const list = useList('/flows', { query: { ...(status && { status }) } });
  const [isCreating, creating] = useDisclosure();
  const [isImporting, importing] = useDisclosure();
  const actions = mayEdit && (
    <Group gap="xs">
      <Button variant="default" onClick={importing.open}>
        {words.import}
      </Button>
      <Button onClick={creating.open}>{words.create}</Button>
    </Group>
  );
  return (
    <Frame title={words.title} description={words.description} actions={actions}>
      <Group>
        <Select
          label={words.status}
          data={statuses.map((value) => ({ value, label: words.statuses[value] }))}
          placeholder={words.allStatuses}
          clearable
          value={status ?? null}
          onChange={(value) => setFilters({ status: value })}
        />
      </Group>
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        linkOf={linkOfFlow}
        counted={words.counted}
        columns={[
          { heading: words.name, show: (flow) => <NameOfFlow {...flow} /> },
          { heading: words.status, card: 'aside', show: (flow) => <FlowStatus status={flow.status} /> },
          { heading: words.version, card: 'hidden', show: ({ version }) => version ?? words.noVersion },
          {
            heading: words.openRuns,
            card: 'end',
            cardHeading: true,
            show: ({ id, open_run_count: count }) =>
              count > 0 ? <To to={`/flows/${id}?tab=runs`}>{sayCapped(count, openRunsCap)}</To> : 0,
          },
          { heading: words.changedAt, card: 'line', show: ({ updated_at }) => <Time at={updated_at} /> },
        ]}
        empty={
          status ? (
            <Empty icon={IconSearchOff} title={words.noneOfThem}>
              {words.noneOfThemHint}
            </Empty>
          ) : (
            <Empty icon={IconRoute} title={words.empty} action={actions}>
              {words.emptyHint}
            </Empty>
          )
        }
      />
      {isCreating && <CreateFlow close={creating.close} />}
      {isImporting && <ImportFlow close={importing.close} />}
    </Frame>
  );
};

const linkOfFlow = ({ id }: Pick<Flow, 'id'>): string => `/flows/${id}`;

const NameOfFlow = ({ id, name, version, draft_changed: isChanged }: Flow) => (
  <Stack gap={0}>
    <To to={linkOfFlow({ id })}>{name}</To>
    {version !== null && isChanged && (
      <Text size="xs" c="dimmed">
        {words.changed}
      </Text>
    )}
  </Stack>
);
