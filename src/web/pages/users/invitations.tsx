import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
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
import { useNow } from '../../parts/use-now.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Invitation = Schemas['Invitation'];

/** Who is invited and has not accepted. Only for owners; `emailOf` names a user as far as it is known. */
export const Invitations = ({ emailOf }: { emailOf: (userId: string) => string | undefined }) => {
  const list = useList('/invitations');

  const resend = async ({ id, email }: Invitation): Promise<void> => {
    await client.POST('/invitations/{id}/resend', { params: { path: { id } } });
    await invalidate('/invitations');
    notifications.show({ title: words.resent(email), message: words.resentText });
  };
  const withdraw = ({ id, email }: Invitation): void =>
    confirm({
      title: words.withdrawTitle(email),
      children: words.withdrawText,
      action: words.withdraw,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/invitations/{id}', { params: { path: { id } } });
        await invalidate('/invitations');
      },
    });

  return (
    <Section title={words.invitations}>
      <DataTable
        label={words.invitations}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { heading: words.email, show: ({ email }) => <span style={{ overflowWrap: 'anywhere' }}>{email}</span> },
          { heading: words.role, width: 96, show: ({ role }) => commonWords.roles[role] },
          {
            heading: words.invitedOn,
            show: ({ created_at, invited_by }) => <Invited at={created_at} by={emailOf(invited_by)} />,
          },
          {
            heading: words.goodUntil,
            show: (invitation) => <Link invitation={invitation} />,
          },
          rowActions((invitation: Invitation) => (
            <>
              <RowAction
                label={words.resendTo(invitation.email)}
                onClick={() => void resend(invitation).catch(showFailure)}
              >
                {words.resend}
              </RowAction>
              <RowAction label={words.withdrawTitle(invitation.email)} onClick={() => withdraw(invitation)}>
                {words.withdraw}
              </RowAction>
            </>
          )),
        ]}
        empty={<Empty title={words.noInvitations}>{words.noInvitationsHint}</Empty>}
        minWidth={860}
      />
    </Section>
  );
};

/** How long links of invitations work. */
const linkMs = 7 * 86_400_000;

/** Until when the link works. It has no time before its mail is sent, and loses it some time after it has expired. */
const Link = ({ invitation: { created_at, expires_at } }: { invitation: Invitation }) => {
  const nowMs = useNow();
  const endsMs = Date.parse(expires_at ?? created_at) + (expires_at === null ? linkMs : 0);
  if (endsMs <= nowMs) return words.link.expired;
  return expires_at === null ? words.link.sending : <Time at={expires_at} format="short" />;
};

const Invited = ({ at, by }: { at: string; by: string | undefined }) => (
  <>
    <Time at={at} format="ago" />
    {by !== undefined && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {words.invitedBy(by)}
      </Text>
    )}
  </>
);
