import { useParams } from 'react-router';
import { api } from '../../api/client.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { sayContact } from '../../parts/contact-link.tsx';
import { ConversationStatus } from '../../parts/conversation-columns.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { OpenHandover } from '../../parts/open-handover.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { conversationWords } from '../../words/conversations.ts';
import { Actions } from './actions.tsx';
import { EndedHandovers } from './ended-handovers.tsx';
import { FactsOfConversation } from './facts-of-conversation.tsx';
import { Thread } from './thread.tsx';
import { VisitorOfConversation } from './visitor.tsx';
import { words } from './words.ts';

/** One conversation: who looks after it, and what was said. */
export const Page = () => {
  const { id = '' } = useParams();
  const asked = api.useQuery('get', '/conversations/{id}', { params: { path: { id } } });
  const { data, error, refetch } = asked;
  const contact = api.useQuery(
    'get',
    '/contacts/{id}',
    { params: { path: { id: data?.contact_id ?? '' } } },
    { enabled: data !== undefined },
  );
  const channel = api.useQuery(
    'get',
    '/channels/{id}',
    { params: { path: { id: data?.channel_id ?? '' } } },
    { enabled: data !== undefined },
  );
  const above = [{ title: words.title, to: '/conversations' }];
  if (!data)
    return <LoadingPage title={conversationWords.one} above={above} error={error} retry={() => void refetch()} />;
  const name = contact.data && sayContact(contact.data);
  return (
    <Frame
      reading={readingOf(asked)}
      title={name === undefined ? conversationWords.one : words.titleOf(name)}
      above={above}
      mark={<Avatar id={data.contact_id} name={name} size={44} />}
      description={<ConversationStatus conversation={data} />}
      actions={<Actions conversation={data} />}
    >
      {data.state === 'handover' && <OpenHandover contactId={data.contact_id} />}
      <FactsOfConversation conversation={data} />
      {channel.data?.type === 'webchat' && <VisitorOfConversation id={id} />}
      <EndedHandovers conversation={data} />
      <Section title={words.messages}>
        <Thread conversation={data} name={name ?? words.theContact} />
      </Section>
    </Frame>
  );
};
