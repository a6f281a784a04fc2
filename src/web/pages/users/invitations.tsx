import { Text } from '@mantine/core';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { Section } from '../../parts/section.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useUsers } from '../../parts/use-users.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { InvitationState } from './invitation-state.tsx';
import { words } from './words.ts';

type Invitation = Schemas['Invitation'];

/** What an invited person is called. */
const invitedName = ({ name, email }: Invitation): string => name ?? email;

/** Who is invited and has not accepted. Only for owners. */
export const Invitations = () => {
  const list = useList('/invitations');
  const { installation } = useSignedIn();
  const { sayUser } = useUsers();
  const [link, setLink] = useState<{ url: string; who: string }>();

  const makeLink = async ({ id, email }: Invitation): Promise<void> => {
    const { data } = await client.POST('/invitations/{id}/link', { params: { path: { id } } });
    if (data) setLink({ url: data.url, who: email });
    await invalidate('/invitations');
  };

  const resend = async ({ id, email }: Invitation): Promise<void> => {
    await client.POST('/invitations/{id}/resend', { params: { path: { id } } });
    await invalidate('/invitations');
    showDone({ message: words.resent(email), more: words.resentText });
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
          { heading: words.email, show: (invitation) => <Who invitation={invitation} /> },
          { heading: words.role, card: 'end', width: 96, show: ({ role }) => commonWords.roles[role] },
          {
            heading: words.invitedOn,
            card: 'line',
            show: ({ created_at, invited_by }) => <Invited at={created_at} by={sayUser(invited_by)} />,
          },
          {
            heading: words.state,
            card: 'aside',
            show: (invitation) => <InvitationState invitation={invitation} />,
          },
          rowActions((invitation: Invitation) => (
            <>
              {installation.sends_mail ? (
                <RowAction
                  label={words.resendTo(invitation.email)}
                  onClick={() => void resend(invitation).catch(showFailure)}
                >
                  {words.resend}
                </RowAction>
              ) : (
                <RowAction
                  label={words.copyLinkOf(invitation.email)}
                  onClick={() => void makeLink(invitation).catch(showFailure)}
                >
                  {words.copyLink}
                </RowAction>
              )}
              <RowAction label={words.withdrawTitle(invitation.email)} onClick={() => withdraw(invitation)}>
                {words.withdraw}
              </RowAction>
            </>
          )),
        ]}
        empty={<Empty title={words.noInvitations}>{words.noInvitationsHint}</Empty>}
        minWidth={860}
      />
      {link && (
        <ShownOnce value={link.url} title={words.link} hint={words.linkText(link.who)} end={() => setLink(undefined)} />
      )}
    </Section>
  );
};

const Who = ({ invitation }: { invitation: Invitation }) => (
  <>
    <span style={{ overflowWrap: 'anywhere' }}>{invitedName(invitation)}</span>
    {invitation.name !== null && (
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {invitation.email}
      </Text>
    )}
  </>
);

const Invited = ({ at, by }: { at: string; by: string }) => (
  <>
    <Time at={at} />
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {words.invitedBy(by)}
    </Text>
  </>
);
