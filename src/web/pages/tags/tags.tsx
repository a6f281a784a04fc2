import { Button } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
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
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Tag = Schemas['TagWithContacts'];

/** Settings, Tags: created by everybody, renamed and deleted by editors. */
export const Page = () => {
  const mayEdit = mayAs('editor', useSignedIn());
  const list = useList('/tags');
  const [edited, setEdited] = useState<{ tag?: Tag }>();
  const create = <Button onClick={() => setEdited({})}>{words.create}</Button>;
  const sayContacts = ({ contacts }: Tag): string =>
    contacts < contactsCapOfLists ? String(contacts) : words.moreThan(contactsCapOfLists - 1);

  const remove = (tag: Tag): void =>
    confirm({
      title: words.deleteTitle(tag.name),
      children: words.deleteText(sayContacts(tag)),
      action: commonWords.delete,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/tags/{id}', { params: { path: { id: tag.id } } });
        await invalidate('/tags', '/contacts');
      },
    });

  const actions = rowActions((tag: Tag) => (
    <>
      <RowAction label={words.renameOf(tag.name)} onClick={() => setEdited({ tag })}>
        {words.rename}
      </RowAction>
      <RowAction label={words.deleteTitle(tag.name)} onClick={() => remove(tag)}>
        {commonWords.delete}
      </RowAction>
    </>
  ));

  return (
    <Frame title={words.title} description={words.description} actions={create}>
      <DataTable
        label={words.list}
        counted={words.counted}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: commonWords.name, show: ({ name }) => name },
          {
            heading: words.contacts,
            card: 'aside',
            cardHeading: true,
            width: 160,
            show: (tag) =>
              tag.contacts === 0 ? (
                0
              ) : (
                <To to={`/contacts?${new URLSearchParams({ tag: tag.name })}`}>{sayContacts(tag)}</To>
              ),
          },
          { heading: words.created, card: 'line', width: 200, show: ({ created_at }) => <Time at={created_at} /> },
          ...(mayEdit ? [actions] : []),
        ]}
        empty={
          <Empty icon={IconTag} title={words.empty} action={create}>
            {words.emptyHint}
          </Empty>
        }
      />
      {edited && <TagForm {...edited} close={() => setEdited(undefined)} />}
    </Frame>
  );
};
