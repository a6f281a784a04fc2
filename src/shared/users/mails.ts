import { greet } from '../mail/greet.ts';
import { nameInMail } from '../mail/name-in-mail.ts';
import type { NewLinkMail } from '../mail/queries.ts';
import type { InvitationPreview } from './schema.ts';

type Invited = InvitationPreview & { accountId: string; id: string };

/** The mail of an invitation. Its link leads to the page that asks for a password. It goes to strangers, so its subject has no words of a user. */
export const createInvitationMail = (
  { accountId, id, email, name, role, accountName }: Invited,
  { baseUrl }: { baseUrl: string },
): NewLinkMail => ({
  accountId,
  kind: 'invitation',
  recipient: email,
  subject: 'You are invited to an account on Parley',
  body: `${greet(name)}

you are invited to the account "${nameInMail(accountName)}" on Parley, with the role ${role}, as ${email}.
If you do not know this account, ignore this mail. To choose a password, open this link. It works once, within seven days:`,
  link: `${baseUrl}/invitation`,
  linkTo: id,
});

/** The mail of a password that is forgotten. Its link leads to the page that asks for a new one. */
export const createPasswordResetMail = (
  { accountId, id, email, name }: { accountId: string; id: string; email: string; name: string | null },
  { baseUrl }: { baseUrl: string },
): NewLinkMail => ({
  accountId,
  kind: 'password_reset',
  recipient: email,
  subject: 'Choose a new password for Parley',
  body: `${greet(name)}

someone requested a new password for ${email} on Parley.
If that was not you, ignore this mail. Your password stays as it is. To set a new one, open this link. It works once, within an hour:`,
  link: `${baseUrl}/reset-password`,
  linkTo: id,
});
