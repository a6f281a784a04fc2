import { ActionIcon, Button, Checkbox, Group, Menu, Popover, Stack, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmarkPlus, IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { viewLimits, type ListName } from '../../shared/views/schema.ts';
import { client, type Schemas } from '../api/client.ts';
import { invalidate } from '../api/query-client.ts';
import { mayAs } from '../api/session.ts';
import { useSignedIn } from '../shell/session-context.ts';
import { commonWords } from '../words/common.ts';
import { listWords } from '../words/lists.ts';
import { confirm } from './confirm.tsx';
import { showDone } from './show-done.tsx';
import { useSending } from './use-sending.ts';

type View = Schemas['View'];

const refresh = () => invalidate('/views');

/** Whether this user may change the view: others change their own alone, owners also those of the account. */
const useMayChange = ({ is_shared: isShared }: View): boolean => mayAs('owner', useSignedIn()) || !isShared;

/** Gives an opened view the filters that the list has now. */
export const SaveChanges = ({ view, query }: { view: View; query: string }) => {
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

type SaveViewProps = {
  list: ListName;
  query: string;
  /** Whether the button is an icon, in a narrow place. */
  isCompact?: boolean;
  onSaved?: (view: View) => void;
};

/** Saves what a list shows now as a view, of the user or, by an owner, of the account. */
export const SaveView = ({ list, query, isCompact = false, onSaved }: SaveViewProps) => {
  const isOwner = mayAs('owner', useSignedIn());
  const [isOpen, { toggle, close }] = useDisclosure();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const { isSending, send } = useSending();
  const save = (): Promise<void> =>
    send(async () => {
      const { data } = await client.POST('/views', { body: { list, name, query, is_shared: isShared } });
      close();
      setName('');
      setShared(false);
      await refresh();
      if (data) onSaved?.(data);
    });
  return (
    <Popover opened={isOpen} onChange={close} trapFocus returnFocus width={280} position="bottom-start" withArrow>
      <Popover.Target>
        {isCompact ? (
          <Tooltip label={listWords.saveView} disabled={isOpen}>
            <ActionIcon variant="subtle" color="gray" aria-label={listWords.saveView} onClick={toggle}>
              <IconBookmarkPlus size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Button size="compact-sm" variant="subtle" onClick={toggle}>
            {listWords.saveView}
          </Button>
        )}
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

/** Shares a view, makes it private, or deletes it. */
export const ViewMenu = ({ view, onDeleted }: { view: View; onDeleted?: () => void }) => {
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
      onConfirm: () => client.DELETE('/views/{id}', { params }).then(refresh).then(onDeleted),
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
