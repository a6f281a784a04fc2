import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { exampleId, showId } from '../ids.ts';
import { label, lineUpTo } from '../label.ts';
import { timeZone } from '../times/time-zone.ts';
import { countries } from '../typed/countries.ts';
import { plans, planAllowsWebhooks, type Plan } from './plans.ts';

/** The most users of an account, with those who are invited. */
export const usersPerAccount = 200;

/** The most API keys of an account, without those that are revoked. */
export const apiKeysPerAccount = 100;

/** The fewest characters of a password. */
export const passwordLength = 8;

export const passwordText = z.string().min(passwordLength).max(200);

/** What colleagues call a user. */
export const userName = lineUpTo(80);

/** What an account is created from. A password is generated when none is given. */
export const newAccount = z.strictObject({
  name: label,
  email: z.email().max(254),
  owner_name: userName.optional(),
  plan: z.enum(plans),
  password: passwordText.optional(),
  time_zone: timeZone.default('UTC'),
});

export type NewAccount = z.input<typeof newAccount>;

const account = codec({
  id: id('account'),
  name: asStored(z.string()),
  email: nullable(asStored(z.string()), { description: 'Of its first owner, who gets its mails.' }),
  plan: asStored(z.enum(plans)),
  webhooks_allowed: asStored(z.boolean().meta({ description: 'Whether the plan includes webhooks.' })),
  time_zone: asStored(z.string().meta({ description: 'For contacts whose own time zone is not known.' })),
  default_country: nullable(asStored(z.string()), {
    description:
      'The country whose phone numbers are read without a code (ISO 3166-1 alpha-2). null: a number needs its `+`.',
  }),
  strict_fields: asStored(
    z.boolean().meta({ description: 'Whether a custom field has to be defined before the API may use it.' }),
  ),
  created_at: time(),
});

export const accountBody = account.body
  .extend({
    limits: z.object({
      requests_per_minute: z.int().meta({
        description:
          'Of all its API keys together. Its users have as many for themselves: one alone at most a half. Each instance of Parley counts for itself.',
      }),
      webhooks: z.int().meta({ description: 'The most registrations; 0 where the plan includes none.' }),
      users: z.int().meta({ description: 'The most users, with those who are invited.' }),
    }),
  })
  .meta({ id: 'Account' });

/** An account as it is stored; `id` is its UUID. */
export type AccountRow = Omit<RowOf<typeof account>, 'webhooksAllowed'>;

/** An account as it is shown, but for its limits, which come from the configuration and other rooms. */
export const showAccount = (row: AccountRow) => account.show({ ...row, webhooksAllowed: planAllowsWebhooks(row.plan) });

const country = z
  .string()
  .max(2)
  .transform((code, ctx) => {
    const known = countries.find((other) => other === code.toUpperCase());
    if (known !== undefined) return known;
    ctx.addIssue({ code: 'custom', message: 'must be the code of a country such as "DE"' });
    return z.NEVER;
  });

export const accountChanges = z
  .strictObject({
    name: label.optional(),
    time_zone: timeZone.optional(),
    default_country: country.nullable().optional(),
    strict_fields: z.boolean().optional(),
  })
  .meta({
    id: 'AccountChanges',
    example: { time_zone: 'Europe/Berlin' },
    description: 'Omitted fields stay unchanged.',
  });

export type AccountChanges = z.infer<typeof accountChanges>;

export const roles = ['owner', 'editor', 'agent'] as const;

/** What a user of an account may do. Agents answer contacts; owner and editors change settings. */
export type Role = (typeof roles)[number];

/** The body of a sign-in. A malformed e-mail address is answered as an unknown one. */
export const signInBody = z.strictObject({ email: z.string().max(254), password: z.string().max(200) });

const installation = z
  .object({
    base_url: z.string(),
    api_url: z.string().meta({ description: '`/v1` is below it.' }),
    temporal_ui_url: z.string().nullable().meta({ description: "Temporal's UI; null when none is known." }),
    temporal_workflows_url: z
      .string()
      .nullable()
      .meta({ description: "The list of workflows in Temporal's UI; null when none is known." }),
    retention_days: z.int().meta({ description: 'How long events, deliveries and attempts are kept.' }),
    private_addresses_allowed: z
      .boolean()
      .meta({ description: 'Whether some addresses that are not public may be called, as the operator chose.' }),
    private_ca_trusted: z
      .boolean()
      .meta({ description: 'Whether endpoints may have a certificate of an authority of the operator.' }),
    sends_mail: z.boolean().meta({ description: 'Whether mails are sent. Otherwise they are files of the operator.' }),
    test_endpoint: z.boolean().meta({ description: 'Whether the installation has a test endpoint.' }),
  })
  .meta({ description: 'Facts about the installation that pages need.' });

/** What every user may know of the installation. */
export type InstallationFacts = z.infer<typeof installation>;

export const sessionBody = z
  .object({
    user: z.object({
      id: z.string().meta({ example: exampleId('user') }),
      email: z.string(),
      name: z.string().nullable(),
      role: z.enum(roles),
    }),
    account: z.object({
      id: z.string().meta({ example: exampleId('account') }),
      name: z.string(),
      plan: z.enum(plans),
      webhooks_allowed: z.boolean().meta({ description: 'Whether the plan includes webhooks.' }),
    }),
    installation,
  })
  .meta({ id: 'Session' });

/** The signed-in user, the account and the installation, as the dashboard sees them. */
export const showSession = (user: SignedInUser, facts: InstallationFacts): z.infer<typeof sessionBody> => ({
  user: { id: showId('user', user.userId), email: user.email, name: user.name, role: user.role },
  account: {
    id: showId('account', user.accountId),
    name: user.accountName,
    plan: user.plan,
    webhooks_allowed: planAllowsWebhooks(user.plan),
  },
  installation: facts,
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
  name: string | null;
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
