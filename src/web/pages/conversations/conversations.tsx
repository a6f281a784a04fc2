import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChannelSelect } from '../../parts/channel-select.tsx';
import { ContactLink } from '../../parts/contact-link.tsx';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { conversationColumns } from '../../parts/conversation-columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { ToChannels } from '../../parts/to-channels.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useUsers } from '../../parts/use-users.ts';
import { UserSelect } from '../../parts/user-select.tsx';
import { HandedOverWithout } from './handed-over-without.tsx';

const statuses = ['open', 'closed'] as const;

/** What is said with all contacts: the conversation with the latest message first, with who looks after each. */
export const Page = () => {
  const { t } = useTranslation('conversations');
  const { filters, setFilters, isFiltered, clear } = useFilters([
    'status',
    'state',
    'contact',
    'channel',
    'assigned_to',
  ]);
  const { sayUser } = useUsers();
  const status = statuses.find((known) => known === filters.status);
  const isHandover = filters.state === 'handover';
  const list = useList('/conversations', {
    query: {
      order: 'latest_message',
      ...(status && { status }),
      ...(isHandover && { state: 'handover' }),
      ...(filters.contact !== undefined && { contact_id: filters.contact }),
      ...(filters.channel !== undefined && { channel_id: filters.channel }),
      ...(filters.assigned_to !== undefined && { assigned_to: filters.assigned_to }),
    },
  });
  return (
    <Frame title={t('title')} description={t('description')}>
      <FilterBar clear={clear}>
        <Select
          label={t('filterStatus')}
          placeholder={t('anyStatus')}
          data={statuses.map((value) => ({ value, label: t(value) }))}
          value={status ?? null}
          onChange={(value) => setFilters({ status: value })}
          clearable
        />
        <Select
          label={t('filterState')}
          placeholder={t('anyState')}
          data={[{ value: 'handover', label: t('handover') }]}
          value={isHandover ? 'handover' : null}
          onChange={(value) => setFilters({ state: value })}
          clearable
        />
        <UserSelect
          label={t('assignedTo')}
          placeholder={t('anyone')}
          value={filters.assigned_to}
          onChange={(value) => setFilters({ assigned_to: value })}
        />
        <ChannelSelect value={filters.channel} onChange={(value) => setFilters({ channel: value })} />
        <ContactSelect value={filters.contact} onChange={(value) => setFilters({ contact: value })} />
      </FilterBar>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        minWidth={760}
        columns={[
          { heading: t('contact'), show: ({ contact_id: id }) => <ContactLink id={id} />, width: 160 },
          ...conversationColumns(sayUser),
        ]}
        empty={
          isFiltered ? (
            <Empty title={t('noneFound')}>{t('noneFoundHint')}</Empty>
          ) : (
            <Empty title={t('empty')} action={<ToChannels />}>
              {t('emptyHint')}
            </Empty>
          )
        }
      />
      {isHandover && <HandedOverWithout />}
    </Frame>
  );
};
