import { DataTable } from '../../../parts/data-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { UserName } from '../../../parts/user-name.tsx';
import { useList } from '../../../parts/use-list.ts';
import { useUsers } from '../../../parts/use-users.ts';
import type { Schemas } from '../../../api/client.ts';
import { conversationWords } from '../../../words/conversations.ts';
import { handoverWords } from '../../../words/handovers.ts';
import { words } from '../words.ts';

type Props = { conversation: Pick<Schemas['Conversation'], 'id' | 'contact_id'> };

/** The handovers of a conversation that have ended: when and why, who had taken them, and what became of them. Nothing where there are none. */
export const EndedHandovers = ({ conversation: { id, contact_id } }: Props) => {
  const { findUser } = useUsers();
  const list = useList('/handovers', { query: { contact_id }, limit: 200 });
  const rows = list.rows?.filter((one) => one.conversation_id === id && one.status !== 'open') ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title={words.handovers.ended}>
      <DataTable
        label={words.handovers.ended}
        list={{ ...list, rows }}
        keyOf={(handover) => handover.id}
        columns={[
          { heading: words.handovers.endedAt, show: ({ ended_at: at }) => at && <Time at={at} /> },
          {
            heading: words.handovers.how,
            card: 'aside',
            show: ({ status }) => status !== 'open' && words.handovers.ends[status],
          },
          { heading: handoverWords.reason, card: 'line', show: ({ reason }) => reason },
          {
            heading: handoverWords.takenBy,
            card: 'end',
            show: ({ assigned_to: user }) =>
              user === null ? conversationWords.nobody : <UserName user={findUser(user)} />,
          },
          { heading: handoverWords.outcome, show: ({ outcome }) => outcome ?? '–' },
        ]}
        empty={null}
      />
    </Section>
  );
};
