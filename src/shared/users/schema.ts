import { z } from 'zod';
import { normalizeEmail } from '../accounts/email.ts';
import { passwordText, roles } from '../accounts/schema.ts';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';

const user = codec({
  id: id('user'),
  email: asStored(z.string()),
  role: asStored(z.enum(roles)),
  created_at: time(),
  last_seen_at: nullable(time(), {
    description:
      'When a session of the user was last used, to the minute; null when that is unknown, or ninety days ago.',
  }),
});

export const userBody = user.body.meta({ id: 'User' });

/** A user as it is stored; `id` is its UUID. */
export type UserRow = RowOf<typeof user>;

/** A user as API and command line show it. */
export const showUser = user.show;

const role = z.enum(roles).meta({
  description:
    'An `owner` may do everything, an `editor` all but API keys, the webhook secret and users. An `agent` answers contacts.',
});

export const userChanges = z.strictObject({ role }).meta({ id: 'UserChanges', example: { role: 'editor' } });

/** Whom to invite. The e-mail address is read in its normal form. */
export const newUser = z
  .strictObject({ email: z.email().max(254).transform(normalizeEmail), role })
  .meta({ id: 'NewUser', example: { email: 'grace@example.com', role: 'agent' } });

export type NewUser = z.output<typeof newUser>;

const invitation = codec({
  id: id('invitation'),
  email: asStored(z.string()),
  role: asStored(z.enum(roles)),
  invited_by: id('user'),
  created_at: time(),
  expires_at: nullable(time(), {
    description: 'Until when its link is good; null until its mail is sent, and when it is too old.',
  }),
});

export const invitationBody = invitation.body.meta({ id: 'Invitation' });

/** An invitation as it is stored; `id` is its UUID. */
export type InvitationRow = RowOf<typeof invitation>;

/** An invitation as the API shows it. */
export const showInvitation = invitation.show;

const token = z.string().max(100).meta({ description: 'What stands behind the # of the link in the mail.' });

/** The body that accepts an invitation. */
export const acceptanceBody = z.strictObject({ token, password: passwordText }).meta({ id: 'Acceptance' });

/** The body that asks for the mail by which a password is set. A malformed e-mail address is answered as an unknown one. */
export const forgottenBody = z.strictObject({ email: z.string().max(254) }).meta({ id: 'ForgottenPassword' });

/** The body that sets a password by the link of that mail. */
export const passwordResetBody = z.strictObject({ token, new_password: passwordText }).meta({ id: 'PasswordReset' });

/** The body that signs in by a link. */
export const signInLinkBody = z
  .strictObject({ token: z.string().max(100).meta({ description: 'What stands behind `#token=` of the link.' }) })
  .meta({ id: 'SignInLink' });
