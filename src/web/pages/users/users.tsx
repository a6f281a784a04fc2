import { Button, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { UserName } from '../../parts/user-name.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { userWords } from '../../words/users.ts';
import { nameOfUser } from '../../parts/name-of-user.ts';
import { EditUser } from './edit-user.tsx';
import { Invitations } from './invitations.tsx';
import { InviteUser } from './invite-user.tsx';
import { words } from './words.ts';

type User = Schemas['User'];

/** Settings, Users: who signs in, and what they may do. Owners change it. */
export const Page = () => {
  const session = useSignedIn();
  const list = useList('/users', { limit: 200 });
  const [isInviting, { open, close }] = useDisclosure();
  const [changed, setChanged] = useState<User>();
  const isOwner = mayAs('owner', session);

  const remove = ({ id, ...user }: User): void =>
    confirm({
      title: words.removeTitle(nameOfUser(user)),
      children: `${id === session.user.id ? `${words.removeYourself} ` : ''}${words.removeText}`,
      action: words.remove,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/users/{id}', { params: { path: { id } } });
        await invalidate('/users', '/session');
      },
    });

  const actions = rowActions((user: User) => (
    <>
      <RowAction label={words.editTitle(nameOfUser(user))} onClick={() => setChanged(user)}>
        {commonWords.edit}
      </RowAction>
      <RowAction label={words.removeTitle(nameOfUser(user))} onClick={() => remove(user)}>
        {words.remove}
      </RowAction>
    </>
  ));

  return (
    <Frame
      title={words.title}
      description={isOwner ? words.description : `${words.description} ${words.onlyOwners}`}
      actions={isOwner && <Button onClick={open}>{words.invite}</Button>}
    >
      <DataTable
        label={words.list}
        counted={words.counted}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: userWords.name,
            show: (user) => (
              <Group gap="xs">
                <UserName user={user} />
                {user.id === session.user.id && <Status tone="off">{words.you}</Status>}
              </Group>
            ),
          },
          {
            heading: words.email,
            card: 'line',
            show: ({ email }) => <span style={{ overflowWrap: 'anywhere' }}>{email}</span>,
          },
          {
            heading: words.role,
            card: 'end',
            width: 96,
            show: ({ role }) => (
              <Tooltip label={userWords.may[role]} multiline maw={320}>
                <span tabIndex={0}>{commonWords.roles[role]}</span>
              </Tooltip>
            ),
          },
          {
            heading: words.lastSeen,
            card: 'aside',
            show: ({ last_seen_at }) => (last_seen_at ? <Time at={last_seen_at} /> : words.notSeen),
          },
          { heading: words.since, card: 'hidden', show: ({ created_at }) => <Time at={created_at} /> },
          ...(isOwner ? [actions] : []),
        ]}
        empty={<Empty title={words.title} />}
        minWidth={860}
      />
      {isOwner && <Invitations />}
      {isInviting && <InviteUser close={close} />}
      {changed && <EditUser user={changed} close={() => setChanged(undefined)} />}
    </Frame>
  );
};
