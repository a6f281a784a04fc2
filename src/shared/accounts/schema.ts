import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { showId } from '../ids.ts';
import { plans, type Plan } from './plans.ts';

/** A name on one line, as pages and terminals show it. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

export const passwordText = z.string().min(8).max(200);

/** What an account is created from. A password is generated when none is given. */
export const newAccount = z.strictObject({
  name: label,
  email: z.email().max(254),
  plan: z.enum(plans),
  password: passwordText.optional(),
});

export type NewAccount = z.infer<typeof newAccount>;

const roles = ['owner', 'editor', 'agent'] as const;

/** What a user of an account may do. Agents answer contacts; owner and editors change settings. */
export type Role = (typeof roles)[number];

/** The body of a sign-in. A malformed e-mail address is answered as an unknown one. */
export const signInBody = z.strictObject({ email: z.string().max(254), password: z.string().max(200) });

export const sessionBody = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), role: z.enum(roles) }),
    account: z.object({ id: z.string(), name: z.string(), plan: z.enum(plans) }),
  })
  .meta({ id: 'Session' });

/** The signed-in user and the account, as the dashboard sees them. */
export const showSession = (user: SignedInUser): z.infer<typeof sessionBody> => ({
  user: { id: showId('user', user.userId), email: user.email, role: user.role },
  account: { id: showId('account', user.accountId), name: user.accountName, plan: user.plan },
});

/** The body that changes a password. The current one proves that the user asks. */
export const newPasswordBody = z
  .strictObject({ current_password: z.string().max(200), new_password: passwordText })
  .meta({ id: 'NewPassword' });

const sessionEntry = codec({
  id: id('session'),
  is_current: asStored(z.boolean().meta({ description: 'Whether this session makes the request.' })),
  created_at: time(),
  last_used_at: time(z.iso.datetime().meta({ description: 'To the minute.' })),
  expires_at: time(
    z.iso
      .datetime()
      .meta({ description: 'When it ends at the latest. It ends earlier when it is unused for three days.' }),
  ),
  address: nullable(asStored(z.string()), { description: 'The address that it was last used from.' }),
  user_agent: nullable(asStored(z.string()), { description: "The beginning of the browser's User-Agent." }),
});

export const sessionEntryBody = sessionEntry.body.meta({ id: 'SessionEntry' });

export type SessionRow = Omit<RowOf<typeof sessionEntry>, 'isCurrent'>;

/** A session as its user's list shows it. */
export const showSessionEntry = (row: SessionRow, { isCurrent }: { isCurrent: boolean }) =>
  sessionEntry.show({ ...row, isCurrent });

export const endedSessionsBody = z.object({ ended: z.int() }).meta({ id: 'EndedSessions' });

export type SignedInUser = {
  userId: string;
  email: string;
  role: Role;
  accountId: string;
  accountName: string;
  plan: Plan;
};

export const newApiKey = z.strictObject({ name: label }).meta({ id: 'NewApiKey', example: { name: 'Shop server' } });

const apiKey = codec({
  id: id('apiKey'),
  name: asStored(z.string()),
  prefix: asStored(z.string()),
  created_at: time(),
  last_used_at: nullable(time()),
  revoked_at: nullable(time()),
});

export const apiKeyBody = apiKey.body.meta({
  id: 'ApiKey',
  description: 'An API key without its value. Its first characters tell it from others.',
});

export type ApiKeyRow = RowOf<typeof apiKey>;

/** An API key as lists show it (specification 5.4). */
export const showApiKey = apiKey.show;

export const createdApiKeyBody = apiKeyBody
  .extend({ key: z.string().meta({ description: 'The value of the key. It is shown only once.' }) })
  .meta({ id: 'CreatedApiKey' });

export const webhookSecretBody = z.object({ secret: z.string() }).meta({
  id: 'WebhookSecret',
  description: "The secret that signs the deliveries of the account's dashboard webhooks.",
});
