import { useTranslation } from 'react-i18next';
import { Status } from './status.tsx';

export const contactStatuses = ['active', 'unsubscribed', 'blocked'] as const;

const tones = { active: 'good', unsubscribed: 'off', blocked: 'bad' } as const;

/** Whether a contact may be written to. */
export const ContactStatus = ({ status }: { status: (typeof contactStatuses)[number] }) => {
  const { t } = useTranslation('contacts');
  return <Status tone={tones[status]}>{t(`statuses.${status}`)}</Status>;
};
