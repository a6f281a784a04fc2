import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contactsCapOfLists } from '../../../shared/tags/schema.ts';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { TagForm } from './tag-form.tsx';
import { To } from '../../parts/to.tsx';

type Tag = Schemas['TagWithContacts'];

/** Settings, Tags: created by everybody, renamed and deleted by editors. */
export const Page = () => {
  const { t } = useTranslation(['tags', 'shell']);
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/tags');
  const [edited, setEdited] = useState<{ tag?: Tag }>();
  const create = <Button onClick={() => setEdited({})}>{t('create')}</Button>;
  const sayContacts = ({ contacts }: Tag): string =>
    contacts < contactsCapOfLists ? String(contacts) : t('moreThan', { count: contactsCapOfLists - 1 });

  const remove = (tag: Tag): void =>
    confirm({
      title: t('deleteTitle', { name: tag.name }),
      children: t('deleteText', { contacts: sayContacts(tag) }),
      action: t('shell:delete'),
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/tags/{id}', { params: { path: { id: tag.id } } });
        await invalidate('/tags', '/contacts');
      },
    });

  const actions = rowActions((tag: Tag) => (
    <>
      <RowAction label={t('renameOf', tag)} onClick={() => setEdited({ tag })}>
        {t('rename')}
      </RowAction>
      <RowAction label={t('deleteTitle', tag)} onClick={() => remove(tag)}>
        {t('shell:delete')}
      </RowAction>
    </>
  ));

  return (
    <Frame title={t('title')} description={t('description')} actions={create}>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: t('shell:name'), show: ({ name }) => name },
          {
            heading: t('contacts'),
            width: 160,
            show: (tag) =>
              tag.contacts === 0 ? (
                0
              ) : (
                <To to={`/contacts?${new URLSearchParams({ tag: tag.name })}`}>{sayContacts(tag)}</To>
              ),
          },
          { heading: t('created'), width: 200, show: ({ created_at }) => <Time at={created_at} /> },
          ...(mayEdit ? [actions] : []),
        ]}
        empty={
          <Empty title={t('empty')} action={create}>
            {t('emptyHint')}
          </Empty>
        }
      />
      {edited && <TagForm {...edited} close={() => setEdited(undefined)} />}
    </Frame>
  );
};
