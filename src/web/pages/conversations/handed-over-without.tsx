import { Button, Group, Text } from '@mantine/core';
import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { UserName } from '../../parts/user-name.tsx';
import { useList } from '../../parts/use-list.ts';
import { useUsers } from '../../parts/use-users.ts';
import { commonWords } from '../../words/common.ts';
import { conversationWords } from '../../words/conversations.ts';
import { handoverWords } from '../../words/handovers.ts';
import { words } from './words.ts';

/** Contacts that wait for a person and that no list of conversations has; nothing where there are none. */
export const HandedOverWithout = () => {
  const { findUser } = useUsers();
  const list = useList('/handovers', { query: { status: 'open' }, limit: 200 });
  const rows = list.rows?.filter(({ conversation_id: id }) => id === null);
  if (rows?.length === 0 && !list.more) return null;
  return (
    <Section title={words.handovers.without} description={words.handovers.withoutHint}>
      <DataTable
        label={words.handovers.without}
        list={{ ...list, rows }}
        keyOf={({ id }) => id}
        columns={[
          { heading: words.contact, show: ({ contact_id: id }) => <ContactLink id={id} />, width: 160 },
          { heading: handoverWords.reason, card: 'line', show: ({ reason }) => reason },
          {
            heading: handoverWords.takenBy,
            card: 'end',
            show: ({ assigned_to: id }) => (id === null ? conversationWords.nobody : <UserName user={findUser(id)} />),
          },
          { heading: handoverWords.since, card: 'aside', show: ({ created_at: at }) => <Time at={at} /> },
        ]}
        empty={
          // A page may have none of them, and the next one some.
          <Group gap="sm">
            <Text size="sm">{words.handovers.withoutNoneSoFar(list.rows?.length ?? 0)}</Text>
            {list.more && (
              <Button variant="default" onClick={list.more} loading={list.isLoadingMore}>
                {commonWords.more}
              </Button>
            )}
          </Group>
        }
      />
    </Section>
  );
};
