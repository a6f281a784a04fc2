import { Skeleton, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { findContact } from '../../api/contact-names.ts';
import { findListed } from '../../live/known-conversations.ts';
import { sayContact } from '../../parts/contact-link.tsx';
import { Failure } from '../../parts/failure.tsx';
import { conversationWords } from '../../words/conversations.ts';
import { BackToList } from './head.tsx';
import { Talk } from './talk.tsx';
import { words } from './words.ts';

type Props = { id: string; hasKeys: boolean };

/** The conversation of this id, as soon as it is known. */
export const OpenConversation = ({ id, hasKeys }: Props) => {
  // Mostly a list has it already.
  const [listed] = useState(() => findListed(id));
  const { data, error, refetch } = api.useQuery(
    'get',
    '/conversations/{id}',
    { params: { path: { id } } },
    listed && { initialData: listed.conversation, initialDataUpdatedAt: listed.readMs },
  );
  const contactId = data?.contact_id ?? '';
  const [named] = useState(() => findContact(contactId));
  const contact = api.useQuery(
    'get',
    '/contacts/{id}',
    { params: { path: { id: contactId } } },
    { enabled: data !== undefined, ...(named && { initialData: named.contact, initialDataUpdatedAt: named.readMs }) },
  );
  const name = contact.data && sayContact(contact.data);
  const title = name === undefined ? conversationWords.one : words.titleOf(name);
  useDocumentTitle(`${title} · Parley`);
  if (data)
    return (
      <Talk
        conversation={data}
        contact={contact.data}
        title={title}
        name={name ?? words.theContact}
        hasKeys={hasKeys}
      />
    );
  return (
    <section className="inbox-thread" aria-label={title}>
      <header className="inbox-head">
        <BackToList isAlways={error !== null} />
        <Title order={1} size="h4">
          {title}
        </Title>
      </header>
      {error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton height={320} m="md" w="auto" />}
    </section>
  );
};
