import { Button, Checkbox, Group, Menu, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { viewLimits, type ListName } from '../../shared/views/schema.ts';
import { api, client, type Schemas } from '../api/client.ts';
import { invalidate } from '../api/query-client.ts';
import { mayAs } from '../api/session.ts';
import { useSignedIn } from '../shell/session-context.ts';
import { commonWords } from '../words/common.ts';
import { listWords } from '../words/lists.ts';
import { confirm } from './confirm.tsx';
import { showDone } from './show-done.tsx';
import { useSending } from './use-sending.ts';

type View = Schemas['View'];

/** The address of a list, in one order, so that the same filters are the same text. */
const normal = (query: URLSearchParams | string): string => {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
};

/** The saved views of a list: one is opened by its tab, and what the list shows now is saved as another. */
export const ListViews = ({ list }: { list: ListName }) => {
  const [params, setParams] = useSearchParams();
  const { data } = api.useQuery('get', '/views', { params: { query: { list } } }, { staleTime: 60_000 });
  const views = data?.data ?? [];
  const query = normal(params);
  const active = views.find((view) => normal(view.query) === query);
  // A view stays open while its filters are changed, until another one is opened or no filter is left.
  const [openedId, setOpenedId] = useState<string>();
  const nextId = active ? active.id : query === '' ? undefined : openedId;
  if (nextId !== openedId) setOpenedId(nextId);
  const opened = views.find(({ id }) => id === nextId);
  if (views.length === 0 && query === '') return null;
  const tab = (label: string, to: string, isActive: boolean, isShared = false) => (
    <UnstyledButton
      key={label + to}
      className="view-tab"
      aria-current={isActive ? 'true' : undefined}
      onClick={() => setParams(new URLSearchParams(to))}
    >
      {label}
      {isShared && <IconUsers size={14} aria-label={listWords.shared} />}
    </UnstyledButton>
  );
  return (
    <nav aria-label={listWords.views} className="view-tabs">
      {tab(listWords.all, '', query === '')}
      {views.map((view) => tab(view.name, view.query, view === opened, view.is_shared))}
      {opened && !active && <SaveChanges view={opened} query={query} />}
      {active ? <ViewMenu view={active} /> : query !== '' && <SaveView list={list} query={query} />}
    </nav>
  );
};

const refresh = () => invalidate('/views');

/** Whether this user may change the view: others change their own alone, owners also those of the account. */
const useMayChange = ({ is_shared: isShared }: View): boolean => mayAs('owner', useSignedIn()) || !isShared;

/** Gives an opened view the filters that the list has now. */
const SaveChanges = ({ view, query }: { view: View; query: string }) => {
  const { isSending, send } = useSending();
  if (!useMayChange(view)) return null;
  const { id, name } = view;
  const change = async (changed: string): Promise<void> => {
    await client.PATCH('/views/{id}', { params: { path: { id } }, body: { query: changed } });
    await refresh();
  };
  const save = (): Promise<void> =>
    send(async () => {
      await change(query);
      showDone({ message: listWords.viewChanged(name), undo: () => change(view.query) });
    });
  return (
    <Button size="compact-sm" variant="light" loading={isSending} onClick={() => void save()}>
      {listWords.saveChanges}
    </Button>
  );
};

const SaveView = ({ list, query }: { list: ListName; query: string }) => {
  const isOwner = mayAs('owner', useSignedIn());
  const [isOpen, { toggle, close }] = useDisclosure();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const { isSending, send } = useSending();
  const save = (): Promise<void> =>
    send(async () => {
      await client.POST('/views', { body: { list, name, query, is_shared: isShared } });
      close();
      await refresh();
    });
  return (
    <Popover opened={isOpen} onChange={close} trapFocus returnFocus width={280} position="bottom-start" withArrow>
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" onClick={toggle}>
          {listWords.saveView}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={listWords.saveView}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Stack gap="sm">
            <TextInput
              label={commonWords.name}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              maxLength={viewLimits.name}
              required
              data-autofocus
            />
            {isOwner && (
              <Checkbox
                label={listWords.share}
                checked={isShared}
                onChange={({ currentTarget }) => setShared(currentTarget.checked)}
              />
            )}
            <Group justify="flex-end">
              <Button type="submit" size="xs" loading={isSending}>
                {commonWords.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};

const ViewMenu = ({ view }: { view: View }) => {
  const isOwner = mayAs('owner', useSignedIn());
  const { send } = useSending();
  if (!useMayChange(view)) return null;
  const { id, name, is_shared: isShared } = view;
  const params = { path: { id } };
  const remove = (): void =>
    confirm({
      title: listWords.deleteView(name),
      children: isShared ? listWords.deleteSharedText : listWords.deleteOwnText,
      action: commonWords.delete,
      onConfirm: () => client.DELETE('/views/{id}', { params }).then(refresh),
    });
  const share = (): Promise<void> =>
    send(() => client.PATCH('/views/{id}', { params, body: { is_shared: !isShared } }).then(refresh));
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-sm" variant="subtle" color="gray" aria-label={listWords.viewMenu(name)}>
          <IconDots size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isOwner && (
          <Menu.Item onClick={() => void share()}>{isShared ? listWords.unshare : listWords.share}</Menu.Item>
        )}
        <Menu.Item onClick={remove}>{commonWords.delete}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
