import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { memo, useState } from 'react';
import { Link } from 'react-router';
import { api, client, type Schemas } from '../../../api/client.ts';
import { askForContact } from '../../../api/contact-names.ts';
import { invalidate } from '../../../api/query-client.ts';
import { Copyable } from '../../../parts/copy.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { OpenHandover } from '../../../parts/open-handover.tsx';
import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { To } from '../../../parts/to.tsx';
import { Automation } from '../../contacts/contact/automation.tsx';
import { CustomFields } from '../../contacts/contact/custom-fields.tsx';
import { Profile } from '../../contacts/contact/profile.tsx';
import { Tags } from '../../contacts/contact/tags.tsx';
import { Timeline } from '../../contacts/contact/timeline.tsx';
import { ContactForm, type ContactFields } from '../../contacts/contact-form.tsx';
import { words as all } from '../words.ts';
import { EndedHandovers } from './ended-handovers.tsx';
import { Orders, OtherConversations, Runs } from './lists.tsx';
import { VisitorOfConversation } from './visitor.tsx';

const words = all.context;

type Props = { conversation: Schemas['Conversation']; contact: Schemas['Contact'] };

/** Whom the agent talks with: who that is, what is known, and what else happens with them. All of it is changed in its place. */
export const Context = memo(({ conversation, contact }: Props) => {
  const { id, channel_id: channelId } = conversation;
  const [isEditing, { open, close }] = useDisclosure();
  const channel = api.useQuery('get', '/channels/{id}', { params: { path: { id: channelId } } });
  const save = async (body: ContactFields): Promise<void> => {
    await client.PATCH('/contacts/{id}', { params: { path: { id: contact.id } }, body });
    askForContact(contact.id);
    await invalidate('/contacts');
    close();
  };
  return (
    <Stack gap="md">
      <div className="inbox-links">
        <Anchor component={Link} to={`/contacts/${contact.id}`} size="sm">
          {words.profile}
        </Anchor>
        <Button size="xs" variant="default" onClick={open}>
          {words.edit}
        </Button>
      </div>
      {conversation.state === 'handover' && <OpenHandover contactId={contact.id} />}
      <Profile contact={contact} />
      {channel.data?.type === 'webchat' && <VisitorOfConversation id={id} />}
      <Tags contact={contact} />
      <CustomFields contact={contact} />
      <Automation contact={contact} />
      <Runs contactId={contact.id} />
      <OtherConversations contactId={contact.id} openedId={id} />
      <Orders contactId={contact.id} />
      <EndedHandovers conversation={conversation} />
      <Section title={words.conversation}>
        <Facts
          facts={[
            [
              words.channel,
              <To key="channel" to={`/settings/channels/${channelId}`}>
                {channel.data?.name ?? '…'}
              </To>,
            ],
            [words.opened, <Time key="opened" at={conversation.created_at} />],
            [words.closedAt, conversation.closed_at && <Time key="closed" at={conversation.closed_at} />],
            [words.id, <Copyable key="id" value={id} label={words.id} />],
          ]}
        />
      </Section>
      <WhenOpened title={words.timeline} contactId={contact.id} />
      {isEditing && <ContactForm close={close} contact={contact} save={save} />}
    </Stack>
  );
});

/** The timeline is long, and is read only when somebody opens it. */
const WhenOpened = ({ title, contactId }: { title: string; contactId: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="card inbox-details">
      <summary>
        <Text span fw={600}>
          {title}
        </Text>
      </summary>
      {isOpen && <Timeline contactId={contactId} />}
    </details>
  );
};
