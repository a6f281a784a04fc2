import type { Schemas } from '../../../api/client.ts';
import { ContactStatus } from '../../../parts/contact-status.tsx';
import { Copyable } from '../../../parts/copy.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { useList } from '../../../parts/use-list.ts';
import { words as contactWords } from '../words.ts';
import { words } from './words.ts';

/** The name of the channel on which the latest message came or went; its type while that is not known. */
const LastChannel = ({ contact: { id, last_channel: type } }: { contact: Schemas['Contact'] }) => {
  const latest = useList('/conversations', { query: { contact_id: id, order: 'latest_message' }, limit: 1 });
  const { rows: channels } = useList('/channels', { limit: 200 });
  const channelId = latest.rows?.[0]?.channel_id;
  return channels?.find((channel) => channel.id === channelId)?.name ?? type;
};

/** The fields that every contact has. */
export const Profile = ({ contact }: { contact: Schemas['Contact'] }) => (
  <Section title={words.profile}>
    <Facts
      facts={[
        [words.status, <ContactStatus key="status" status={contact.status} />],
        [contactWords.email, contact.email],
        [contactWords.phone, contact.phone],
        [contactWords.language, contact.language],
        [contactWords.timeZone, contact.time_zone],
        [contactWords.externalId, contact.external_id],
        [words.lastChannel, contact.last_channel && <LastChannel key="channel" contact={contact} />],
        [contactWords.created, <Time key="created" at={contact.created_at} />],
        [words.updated, <Time key="updated" at={contact.updated_at} />],
        [words.id, <Copyable key="id" value={contact.id} label={words.id} />],
      ]}
    />
  </Section>
);
