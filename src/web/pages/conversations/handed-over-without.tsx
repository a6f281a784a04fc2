import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useUsers } from '../../parts/use-users.ts';

/** Contacts that wait for a person and that no list of conversations has; nothing where there are none. */
export const HandedOverWithout = () => {
  const { t } = useTranslation(['handovers', 'conversations', 'shell']);
  const { sayUser } = useUsers();
  const list = useList('/handovers', { query: { status: 'open' }, limit: 200 });
  const rows = list.rows?.filter(({ conversation_id: id }) => id === null);
  if (rows?.length === 0 && !list.more) return null;
  return (
    <Section title={t('without')} description={t('withoutHint')}>
      <DataTable
        label={t('without')}
        list={{ ...list, rows }}
        keyOf={({ id }) => id}
        columns={[
          { heading: t('conversations:contact'), show: ({ contact_id: id }) => <ContactLink id={id} />, width: 160 },
          { heading: t('reason'), show: ({ reason }) => reason },
          {
            heading: t('takenBy'),
            show: ({ assigned_to: id }) => (id === null ? t('conversations:nobody') : sayUser(id)),
          },
          { heading: t('since'), show: ({ created_at: at }) => <Time at={at} format="ago" /> },
        ]}
        empty={
          // A page may have none of them, and the next one some.
          <Group gap="sm">
            <Text size="sm">{t('withoutNoneSoFar', { count: list.rows?.length ?? 0 })}</Text>
            {list.more && (
              <Button variant="default" onClick={list.more} loading={list.isLoadingMore}>
                {t('shell:more')}
              </Button>
            )}
          </Group>
        }
      />
    </Section>
  );
};
