import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../../api/client.ts';
import { ContactStatus } from '../../../parts/contact-status.tsx';
import { Copyable } from '../../../parts/copy.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';

/** The fields that every contact has. */
export const Profile = ({ contact }: { contact: Schemas['Contact'] }) => {
  const { t } = useTranslation(['contact', 'contacts']);
  return (
    <Section title={t('profile')}>
      <Facts
        facts={[
          [t('status'), <ContactStatus key="status" status={contact.status} />],
          [t('contacts:email'), contact.email],
          [t('contacts:phone'), contact.phone],
          [t('contacts:language'), contact.language],
          [t('contacts:timeZone'), contact.time_zone],
          [t('contacts:externalId'), contact.external_id],
          [t('lastChannel'), contact.last_channel],
          [t('contacts:created'), <Time key="created" at={contact.created_at} format="short" />],
          [t('updated'), <Time key="updated" at={contact.updated_at} format="short" />],
          [t('id'), <Copyable key="id" value={contact.id} label={t('id')} />],
        ]}
      />
    </Section>
  );
};
