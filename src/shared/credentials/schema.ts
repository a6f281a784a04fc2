import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { isConnectionHeader, isHeaderName } from '../platform/egress/connection-headers.ts';
import { readHost } from './hosts.ts';
import { hasItsToken, oauth2Body, oauth2Fields, showOAuth2 } from './oauth2/schema.ts';
import { warnings } from '../warnings.ts';

/**
 * How a credential is sent: as `Authorization: Bearer`, as `Authorization: Basic`, as a header, or in the query. The bearer token of oauth2 comes
 * from a token endpoint.
 */
export const credentialTypes = ['bearer', 'basic', 'header', 'query', 'oauth2'] as const;

export type CredentialType = (typeof credentialTypes)[number];

/** Flows refer to a credential by its name, also in placeholders. */
const name = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]\w{0,63}$/, { error: 'must be a letter, then up to 63 letters, digits and underscores' })
  .meta({ description: 'The name flows use; unique in the account, and never changes.' });

const host = z
  .string()
  .max(255)
  .transform((text, ctx) => {
    const read = readHost(text);
    if (read !== undefined) return read;
    ctx.addIssue({
      code: 'custom',
      message: 'must be a host without scheme and port, as api.example.com or *.example.com',
    });
    return z.NEVER;
  });

const hosts = z.array(host).min(1).max(20).meta({
  description:
    'Flows send it only to these hosts: names, `*.example.com` for all names below, or addresses; any port. Over https; over plain http only to addresses that the operator allows.',
});

/** What a header can carry, so that no value ends one header and begins another. */
const visible = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, { error: 'must be visible ASCII characters' });

const secretText = z
  .string()
  .min(1)
  .max(1_024)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must have no control characters' });

const passwordText = z
  .string()
  .max(1_024)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must have no control characters' });

const header = z
  .string()
  .max(100)
  .refine((text) => isHeaderName(text) && !isConnectionHeader(text), { error: 'is not a header that you can set' });

const byType = {
  bearer: { token: visible.meta({ description: 'Sent as `Authorization: Bearer <token>`.' }) },
  basic: {
    username: secretText.refine((text) => !text.includes(':'), { error: 'must have no colon' }),
    password: passwordText.meta({
      description: 'Sent as `Authorization: Basic …`. May be empty: some services take a key as the user name alone.',
    }),
  },
  header: { header: header.meta({ description: 'The name of the header.' }), value: visible },
  query: {
    parameter: secretText.meta({ description: 'The name of the parameter in the query.' }),
    value: secretText,
  },
};

/** A credential of any type. Its values are never answered. */
export const newCredential = z
  .discriminatedUnion('type', [
    z.strictObject({ name, type: z.literal('bearer'), hosts, ...byType.bearer }).meta({ id: 'NewBearerCredential' }),
    z.strictObject({ name, type: z.literal('basic'), hosts, ...byType.basic }).meta({ id: 'NewBasicCredential' }),
    z.strictObject({ name, type: z.literal('header'), hosts, ...byType.header }).meta({ id: 'NewHeaderCredential' }),
    z.strictObject({ name, type: z.literal('query'), hosts, ...byType.query }).meta({ id: 'NewQueryCredential' }),
    z
      .strictObject({ name, type: z.literal('oauth2'), hosts, ...oauth2Fields })
      .superRefine(hasItsToken({ orKept: false }))
      .meta({ id: 'NewOAuth2Credential' }),
  ])
  .meta({
    id: 'NewCredential',
    example: { name: 'shop', type: 'bearer', hosts: ['api.shop.example'], token: 'sk_live_4711' },
  });

export type NewCredential = z.infer<typeof newCredential>;

/**
 * All of a credential but its name. Whoever binds it to another host has to know its value: otherwise an editor could have a secret
 * that is never answered sent to a host of their own.
 */
export const credentialReplacement = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('bearer'), hosts, ...byType.bearer }).meta({ id: 'BearerReplacement' }),
    z.strictObject({ type: z.literal('basic'), hosts, ...byType.basic }).meta({ id: 'BasicReplacement' }),
    z.strictObject({ type: z.literal('header'), hosts, ...byType.header }).meta({ id: 'HeaderReplacement' }),
    z.strictObject({ type: z.literal('query'), hosts, ...byType.query }).meta({ id: 'QueryReplacement' }),
    z
      .strictObject({ type: z.literal('oauth2'), hosts, ...oauth2Fields })
      .superRefine(hasItsToken({ orKept: true }))
      .meta({ id: 'OAuth2Replacement' }),
  ])
  .meta({
    id: 'CredentialReplacement',
    example: { type: 'bearer', hosts: ['api.shop.example'], token: 'sk_live_4712' },
  });

export type CredentialReplacement = z.infer<typeof credentialReplacement>;

const credential = codec({
  id: id('credential'),
  name: asStored(z.string()),
  type: asStored(z.enum(credentialTypes)),
  param: nullable(asStored(z.string()), { description: 'The name of the header, or of the parameter in the query.' }),
  hosts: asStored(z.array(z.string())),
  oauth2: nullable(
    { schema: oauth2Body, show: showOAuth2 },
    { description: 'Of the type oauth2; null for all others.' },
  ),
  created_at: time(),
  updated_at: time(),
});

export const credentialBody = credential.body.extend({ warnings }).meta({ id: 'Credential' });

/** A credential as it is stored, without its secret; `id` is its UUID. */
export type CredentialRow = RowOf<typeof credential>;

/** A credential as the API shows it. */
export const showCredential = credential.show;
