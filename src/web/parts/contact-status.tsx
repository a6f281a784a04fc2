import { contactWords } from '../words/contacts.ts';
import { Status } from './status.tsx';

export const contactStatuses = ['active', 'unsubscribed', 'blocked'] as const;

const tones = { active: 'good', unsubscribed: 'off', blocked: 'bad' } as const;

/** Whether a contact may be written to. */
export const ContactStatus = ({ status }: { status: (typeof contactStatuses)[number] }) => (
  <Status tone={tones[status]}>{contactWords.statuses[status]}</Status>
);
