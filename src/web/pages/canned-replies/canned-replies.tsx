import { Button, Text } from '@mantine/core';
import { IconMessage2Bolt, IconSearchOff } from '@tabler/icons-react';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { SearchInput } from '../../parts/search-input.tsx';
import { Time } from '../../parts/time.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { CannedReplyForm } from './canned-reply-form.tsx';
import { words } from './words.ts';

type Reply = Schemas['CannedReply'];

/** Settings, Canned replies: read by agents, written by editors. */
export const Page = () => {
  const mayEdit = mayAs('editor', useSignedIn());
  const { filters, setFilters, clear } = useFilters(['search']);
  const list = useList('/canned-replies', filters.search === undefined ? {} : { query: { search: filters.search } });
  const [edited, setEdited] = useState<{ reply?: Reply }>();
  const create = mayEdit && <Button onClick={() => setEdited({})}>{words.create}</Button>;

  const remove = ({ id, shortcut }: Reply): void =>
    confirm({
      title: words.deleteTitle(shortcut),
      children: words.deleteText,
      action: commonWords.delete,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/canned-replies/{id}', { params: { path: { id } } });
        await invalidate('/canned-replies');
      },
    });

  const actions = rowActions((reply: Reply) => (
    <>
      <RowAction label={words.editOf(reply.shortcut)} onClick={() => setEdited({ reply })}>
        {words.edit}
      </RowAction>
      <RowAction label={words.deleteTitle(reply.shortcut)} onClick={() => remove(reply)}>
        {commonWords.delete}
      </RowAction>
    </>
  ));
  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <FilterBar clear={clear}>
        <SearchInput
          label={words.search}
          value={filters.search ?? ''}
          maxLength={100}
          onSearch={(search) => setFilters({ search })}
        />
      </FilterBar>
      <DataTable
        label={words.list}
        counted={words.counted}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: words.shortcut, width: 180, show: ({ shortcut }) => `/${shortcut}` },
          {
            heading: words.text,
            card: 'line',
            show: ({ text }) => (
              <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            ),
          },
          { heading: words.changed, card: 'aside', width: 140, show: ({ updated_at: at }) => <Time at={at} /> },
          ...(mayEdit ? [actions] : []),
        ]}
        empty={
          filters.search === undefined ? (
            <Empty icon={IconMessage2Bolt} title={words.empty} action={create}>
              {words.emptyHint}
            </Empty>
          ) : (
            <Empty icon={IconSearchOff} title={words.noneFound}>
              {words.noneFoundHint}
            </Empty>
          )
        }
      />
      {edited && <CannedReplyForm {...edited} close={() => setEdited(undefined)} />}
    </Frame>
  );
};
