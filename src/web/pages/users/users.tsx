import { Button, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ChangeRole } from './change-role.tsx';
import { Invitations } from './invitations.tsx';
import { InviteUser } from './invite-user.tsx';

type User = Schemas['User'];

/** Settings, Users: who signs in, and what they may do. Owners change it. */
export const Page = () => {
  const { t } = useTranslation(['users', 'shell']);
  const session = useSignedIn();
  const list = useList('/users', { limit: 200 });
  const [isInviting, { open, close }] = useDisclosure();
  const [changed, setChanged] = useState<User>();
  const isOwner = mayAs('owner', session);

  const remove = ({ id, email }: User): void =>
    confirm({
      title: t('removeTitle', { email }),
      children: `${id === session.user.id ? `${t('removeYourself')} ` : ''}${t('removeText')}`,
      action: t('remove'),
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/users/{id}', { params: { path: { id } } });
        await invalidate('/users', '/session');
      },
    });

  const actions = rowActions((user: User) => (
    <>
      <RowAction label={t('changeRoleOf', { email: user.email })} onClick={() => setChanged(user)}>
        {t('changeRole')}
      </RowAction>
      <RowAction label={t('removeTitle', { email: user.email })} onClick={() => remove(user)}>
        {t('remove')}
      </RowAction>
    </>
  ));

  return (
    <Frame
      title={t('title')}
      description={isOwner ? t('description') : `${t('description')} ${t('onlyOwners')}`}
      actions={isOwner && <Button onClick={open}>{t('invite')}</Button>}
    >
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: t('email'),
            show: ({ id, email }) => (
              <Group gap="xs">
                {email}
                {id === session.user.id && <Status tone="off">{t('you')}</Status>}
              </Group>
            ),
          },
          {
            heading: t('role'),
            width: 96,
            show: ({ role }) => (
              <Tooltip label={t(`may.${role}`)} multiline maw={320}>
                <span tabIndex={0}>{t(`shell:roles.${role}`)}</span>
              </Tooltip>
            ),
          },
          {
            heading: t('lastSeen'),
            show: ({ last_seen_at }) => (last_seen_at ? <Time at={last_seen_at} format="ago" /> : t('notSeen')),
          },
          { heading: t('since'), show: ({ created_at }) => <Time at={created_at} /> },
          ...(isOwner ? [actions] : []),
        ]}
        empty={<Empty title={t('title')} />}
        minWidth={760}
      />
      {isOwner && <Invitations emailOf={(id) => list.rows?.find((user) => user.id === id)?.email} />}
      {isInviting && <InviteUser close={close} />}
      {changed && <ChangeRole user={changed} close={() => setChanged(undefined)} />}
    </Frame>
  );
};
