import { z } from 'zod';
import { normalizeEmail } from '../accounts/email.ts';
import { passwordText, roles, userName } from '../accounts/schema.ts';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { hueOf, hues } from '../hue.ts';
import { showId } from '../ids.ts';

const user = codec({
  id: id('user'),
  email: asStored(z.string()),
  name: nullable(asStored(z.string()), {
    description: 'The name that colleagues see; null if not set.',
  }),
  color: asStored(z.enum(hues).meta({ description: 'Of the initials on pages. It follows from the id.' })),
  role: asStored(z.enum(roles)),
  created_at: time(),
  last_seen_at: nullable(time(), {
    description:
      'When a session of the user was last used, to the minute; null when that is unknown, or ninety days ago.',
  }),
});

export const userBody = user.body.meta({ id: 'User' });

/** A user as it is stored; `id` is its UUID. */
export type UserRow = Omit<RowOf<typeof user>, 'color'>;

/** A user as API and command line show it. */
export const showUser = (row: UserRow) => user.show({ ...row, color: hueOf(showId('user', row.id)) });

const role = z.enum(roles).meta({
  description:
    'An `owner` may do everything, an `editor` all but API keys, the webhook secret and users. An `agent` answers contacts.',
});

export const userChanges = z
  .strictObject({ role: role.optional(), name: userName.optional() })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), { error: 'must have role or name' })
  .meta({ id: 'UserChanges', example: { role: 'editor' }, description: 'Omitted fields stay unchanged.' });

export type UserChanges = z.output<typeof userChanges>;

/** What users change of themselves. */
export const profileChanges = z
  .strictObject({ name: userName })
  .meta({ id: 'ProfileChanges', example: { name: 'Grace Hopper' } });

/** Whom to invite. The e-mail address is read in its normal form. */
export const newUser = z
  .strictObject({
    email: z.email().max(254).transform(normalizeEmail),
    name: userName.optional().meta({ description: "The user's name. The user can change it." }),
    role,
  })
  .meta({ id: 'NewUser', example: { email: 'grace@example.com', name: 'Grace Hopper', role: 'agent' } });

export type NewUser = z.output<typeof newUser>;

const invitationStates = ['sending', 'sent', 'expired', 'failed'] as const;

const invitation = codec({
  id: id('invitation'),
  email: asStored(z.string()),
  name: nullable(asStored(z.string()), { description: 'The name that the owner entered.' }),
  role: asStored(z.enum(roles)),
  invited_by: id('user'),
  created_at: time(),
  state: asStored(
    z.enum(invitationStates).meta({
      description:
        'The state of its latest mail and its links. `failed`: the mail server refuses the address. Without a mail server, mails are files, which count as sent.',
    }),
  ),
  expires_at: nullable(time(), {
    description: 'When its link expires; null until its mail is sent, and after it expired.',
  }),
});

export const invitationBody = invitation.body.meta({ id: 'Invitation' });

/** An invitation as it is stored; `id` is its UUID. */
export type InvitationRow = RowOf<typeof invitation>;

/** An invitation as the API shows it. */
export const showInvitation = invitation.show;

const token = z.string().max(100).meta({ description: 'The part of the link after #.' });

/** A link that accepts an invitation. */
export const invitationLinkBody = z
  .object({
    url: z.url().meta({ description: 'Shown only once. Anyone with this link becomes the user.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'InvitationLink' });

/** The body that asks what an invitation is to. */
export const previewBody = z.strictObject({ token }).meta({ id: 'InvitationToken' });

export const invitationPreviewBody = z
  .object({ email: z.string(), name: z.string().nullable(), role: z.enum(roles), account_name: z.string() })
  .meta({ id: 'InvitationPreview', description: 'The account and role of an invitation.' });

/** What an invitation is to, as the holder of its link sees it. */
export type InvitationPreview = {
  email: string;
  name: string | null;
  role: (typeof roles)[number];
  accountName: string;
};

/** The body that accepts an invitation. */
export const acceptanceBody = z
  .strictObject({
    token,
    password: passwordText,
    name: userName.optional().meta({ description: 'The name that colleagues see; from the invitation if omitted.' }),
  })
  .meta({ id: 'Acceptance' });

/** The body that asks for the mail by which a password is set. A malformed e-mail address is answered as an unknown one. */
export const forgottenBody = z.strictObject({ email: z.string().max(254) }).meta({ id: 'ForgottenPassword' });

/** The body that sets a password by the link of that mail. */
export const passwordResetBody = z.strictObject({ token, new_password: passwordText }).meta({ id: 'PasswordReset' });

/** The body that signs in by a link. */
export const signInLinkBody = z
  .strictObject({ token: z.string().max(100).meta({ description: 'The part of the link after `#token=`.' }) })
  .meta({ id: 'SignInLink' });
