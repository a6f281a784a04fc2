import { z } from 'zod';
import { showId } from '../ids.ts';
import { plans, type Plan } from './plans.ts';

/** A name on one line, as pages and terminals show it. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

/** A new password. */
export const passwordText = z.string().min(8).max(200);

/** What an account is made from; a password is made up when none is given. */
export const newAccount = z.strictObject({
  name: label,
  email: z.email().max(254),
  plan: z.enum(plans),
  password: passwordText.optional(),
});

export type NewAccount = z.infer<typeof newAccount>;

const roles = ['owner', 'editor', 'agent'] as const;

/** What a user of an account may do: agents answer contacts, settings are the owner's and the editors'. */
export type Role = (typeof roles)[number];

/** What sign-in takes; a wrong form of e-mail is as wrong as an unknown one. */
export const signInBody = z.strictObject({ email: z.string().max(254), password: z.string().max(200) });

export const sessionBody = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), role: z.enum(roles) }),
    account: z.object({ id: z.string(), name: z.string(), plan: z.enum(plans) }),
  })
  .meta({ id: 'Session' });

/** The signed-in user and the account as the dashboard sees them. */
export const showSession = (user: SignedInUser): z.infer<typeof sessionBody> => ({
  user: { id: showId('user', user.userId), email: user.email, role: user.role },
  account: { id: showId('account', user.accountId), name: user.accountName, plan: user.plan },
});

/** What changes a password: the one before proves that it is the user who asks. */
export const newPasswordBody = z
  .strictObject({ current_password: z.string().max(200), new_password: passwordText })
  .meta({ id: 'NewPassword' });

export const sessionEntryBody = z
  .object({
    id: z.string(),
    is_current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().meta({ description: 'To the minute.' }),
    expires_at: z.iso.datetime().meta({ description: 'Its end at the latest; unused for three days it ends before.' }),
    address: z.string().nullable().meta({ description: 'Where it was used last from.' }),
    user_agent: z.string().nullable().meta({ description: 'The beginning of what the browser said that it is.' }),
  })
  .meta({ id: 'SessionEntry' });

export const endedSessionsBody = z.object({ ended: z.int() }).meta({ id: 'EndedSessions' });

export type SessionRow = {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
};

/** A session as its user's list shows it. */
export const showSessionEntry = (
  row: SessionRow,
  { isCurrent }: { isCurrent: boolean },
): z.infer<typeof sessionEntryBody> => ({
  id: showId('session', row.id),
  is_current: isCurrent,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  address: row.address,
  user_agent: row.userAgent,
});

export type SignedInUser = {
  userId: string;
  email: string;
  role: Role;
  accountId: string;
  accountName: string;
  plan: Plan;
};

export const newApiKey = z.strictObject({ name: label }).meta({ id: 'NewApiKey', example: { name: 'Shop server' } });

export const apiKeyBody = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its value: only the first characters, to tell it by.' });

export const createdApiKeyBody = apiKeyBody
  .extend({ key: z.string().meta({ description: 'The value of the key: shown this once and never again.' }) })
  .meta({ id: 'CreatedApiKey' });

export type ApiKeyRow = {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** An API key as lists show it (specification 5.4). */
export const showApiKey = (row: ApiKeyRow): z.infer<typeof apiKeyBody> => ({
  id: showId('apiKey', row.id),
  name: row.name,
  prefix: row.prefix,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
});

export const webhookSecretBody = z.object({ secret: z.string() }).meta({
  id: 'WebhookSecret',
  description: "The secret that signs the deliveries of the account's dashboard webhooks.",
});
