import { Button, Group, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { readUserAgent } from './read-user-agent.ts';

type Entry = Schemas['SessionEntry'];

/** Where the user is signed in, and the way to end it there. */
export const OwnSessions = () => {
  const { t } = useTranslation('profile');
  const list = useList('/sessions');

  const sayBrowser = ({ user_agent }: Entry): string => {
    const { browser = t('unknownBrowser'), system } = readUserAgent(user_agent ?? '');
    return system === undefined ? browser : t('browserOn', { browser, system });
  };
  const end = (entry: Entry): void =>
    confirm({
      title: t('endTitle', { browser: sayBrowser(entry) }),
      children: t('endText'),
      action: t('end'),
      onConfirm: async () => {
        await client.DELETE('/sessions/{id}', { params: { path: { id: entry.id } } });
        await invalidate('/sessions');
      },
    });
  const endOthers = (): void =>
    confirm({
      title: t('endOthersTitle'),
      children: t('endOthersText'),
      action: t('endOthers'),
      onConfirm: async () => {
        const { data } = await client.DELETE('/sessions', { params: { query: { which: 'others' } } });
        await invalidate('/sessions');
        notifications.show({ message: t('othersEnded', { count: data?.ended ?? 0 }) });
      },
    });
  const hasOthers = list.rows?.some(({ is_current }) => !is_current) === true;

  return (
    <Section
      title={t('sessions')}
      description={t('sessionsText')}
      actions={
        hasOthers && (
          <Button size="xs" variant="default" onClick={endOthers}>
            {t('endOthers')}
          </Button>
        )
      }
    >
      <DataTable
        label={t('sessions')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: t('browser'),
            show: (entry) => (
              <Group gap="xs">
                <Tooltip label={entry.user_agent} disabled={entry.user_agent === null} multiline maw={360}>
                  <Text size="sm" component="span" tabIndex={0}>
                    {sayBrowser(entry)}
                  </Text>
                </Tooltip>
                {entry.is_current && <Status tone="good">{t('thisSession')}</Status>}
              </Group>
            ),
          },
          { heading: t('address'), show: ({ address }) => address },
          { heading: t('lastUsed'), show: ({ last_used_at }) => <Time at={last_used_at} format="ago" /> },
          { heading: t('began'), show: ({ created_at }) => <Time at={created_at} /> },
          { heading: t('ends'), show: ({ expires_at }) => <Time at={expires_at} /> },
          rowActions((entry: Entry) =>
            entry.is_current ? null : (
              <RowAction label={t('endTitle', { browser: sayBrowser(entry) })} onClick={() => end(entry)}>
                {t('end')}
              </RowAction>
            ),
          ),
        ]}
        empty={<Empty title={t('sessions')} />}
        minWidth={860}
      />
    </Section>
  );
};
