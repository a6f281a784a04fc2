import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';

type Invitation = Schemas['Invitation'];

/** Who is invited and has not accepted. Only for owners; `emailOf` names a user as far as it is known. */
export const Invitations = ({ emailOf }: { emailOf: (userId: string) => string | undefined }) => {
  const { t } = useTranslation(['users', 'shell']);
  const list = useList('/invitations');

  const resend = async ({ id, email }: Invitation): Promise<void> => {
    await client.POST('/invitations/{id}/resend', { params: { path: { id } } });
    await invalidate('/invitations');
    notifications.show({ title: t('resent', { email }), message: t('resentText') });
  };
  const withdraw = ({ id, email }: Invitation): void =>
    confirm({
      title: t('withdrawTitle', { email }),
      children: t('withdrawText'),
      action: t('withdraw'),
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/invitations/{id}', { params: { path: { id } } });
        await invalidate('/invitations');
      },
    });

  return (
    <Section title={t('invitations')}>
      <DataTable
        label={t('invitations')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: t('email'), show: ({ email }) => <span style={{ overflowWrap: 'anywhere' }}>{email}</span> },
          { heading: t('role'), width: 96, show: ({ role }) => t(`shell:roles.${role}`) },
          {
            heading: t('invitedOn'),
            show: ({ created_at, invited_by }) => <Invited at={created_at} by={emailOf(invited_by)} />,
          },
          {
            heading: t('goodUntil'),
            show: ({ expires_at }) => (expires_at ? <Time at={expires_at} format="short" /> : t('noLink')),
          },
          rowActions((invitation: Invitation) => (
            <>
              <RowAction
                label={t('resendTo', { email: invitation.email })}
                onClick={() => void resend(invitation).catch(showFailure)}
              >
                {t('resend')}
              </RowAction>
              <RowAction label={t('withdrawTitle', { email: invitation.email })} onClick={() => withdraw(invitation)}>
                {t('withdraw')}
              </RowAction>
            </>
          )),
        ]}
        empty={<Empty title={t('noInvitations')}>{t('noInvitationsHint')}</Empty>}
        minWidth={860}
      />
    </Section>
  );
};

const Invited = ({ at, by }: { at: string; by: string | undefined }) => {
  const { t } = useTranslation('users');
  return (
    <>
      <Time at={at} format="ago" />
      {by !== undefined && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('invitedBy', { email: by })}
        </Text>
      )}
    </>
  );
};
