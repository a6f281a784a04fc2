import { newUuid } from '../ids.ts';
import { greet } from './greet.ts';
import type { NewMail } from './queries.ts';

/** The e-mail by which a user tries whether mails of notifications arrive. */
export const createTestMail = (user: {
  accountId: string;
  recipient: string;
  recipientName: string | null;
}): NewMail => ({
  accountId: user.accountId,
  kind: 'notification_test',
  dedupKey: `notification_test/${newUuid()}`,
  recipient: user.recipient,
  subject: 'Test of your notifications',
  body: `${greet(user.recipientName)}

you asked for this mail on your profile. Notifications about conversations that wait for an agent reach you at this address. To choose
which ones you get, open:`,
  page: '/profile',
});
