import './words.ts';
import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
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

type Flow = Schemas['Flow'];

/** The API counts the open runs of a flow of a list up to this many, which means that many or more. */
const openRunsCap = 1_001;

const statuses = ['draft', 'live', 'paused', 'archived'] as const satisfies readonly Flow['status'][];

/** The flows of the account: created, imported, and found by their state. */
export const Page = () => {
  const { t } = useTranslation('flows');
  const mayEdit = mayAs('editor', useSignedIn());
  const { filters, setFilters } = useFilters(['status']);
  const status = statuses.find((known) => known === filters.status);
  const list = useList('/flows', { query: { ...(status && { status }) } });
  const [isCreating, creating] = useDisclosure();
  const [isImporting, importing] = useDisclosure();
  const actions = mayEdit && (
    <Group gap="xs">
      <Button variant="default" onClick={importing.open}>
        {t('import')}
      </Button>
      <Button onClick={creating.open}>{t('create')}</Button>
    </Group>
  );
  return (
    <Frame title={t('title')} description={t('description')} actions={actions}>
      <Group>
        <Select
          label={t('status')}
          data={statuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
          placeholder={t('allStatuses')}
          clearable
          value={status ?? null}
          onChange={(value) => setFilters({ status: value })}
        />
      </Group>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: t('name'), show: (flow) => <NameOfFlow {...flow} /> },
          { heading: t('status'), show: (flow) => <FlowStatus status={flow.status} /> },
          { heading: t('version'), show: ({ version }) => version ?? t('noVersion') },
          {
            heading: t('openRuns'),
            show: ({ id, open_run_count: count }) =>
              count > 0 ? <To to={`/flows/${id}?tab=runs`}>{sayCapped(count, openRunsCap)}</To> : 0,
          },
          { heading: t('changedAt'), show: ({ updated_at }) => <Time at={updated_at} format="ago" /> },
        ]}
        empty={
          status ? (
            <Empty title={t('noneOfThem')}>{t('noneOfThemHint')}</Empty>
          ) : (
            <Empty title={t('empty')} action={actions}>
              {t('emptyHint')}
            </Empty>
          )
        }
      />
      {isCreating && <CreateFlow close={creating.close} />}
      {isImporting && <ImportFlow close={importing.close} />}
    </Frame>
  );
};

const NameOfFlow = ({ id, name, version, draft_changed: isChanged }: Flow) => {
  const { t } = useTranslation('flows');
  return (
    <Stack gap={0}>
      <Anchor component={Link} to={`/flows/${id}`}>
        {name}
      </Anchor>
      {version !== null && isChanged && (
        <Text size="xs" c="dimmed">
          {t('changed')}
        </Text>
      )}
    </Stack>
  );
};
