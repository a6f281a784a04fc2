import { z } from 'zod';
import { asStored, codec, nullable, time, type RowOf } from '../../codec.ts';

/** How access tokens are had (RFC 6749): as the client itself, or for a user who once agreed. */
export const grantTypes = ['client_credentials', 'refresh_token'] as const;

/** Where the token endpoint reads the client's id and secret: in the Authorization header, or in the body. */
export const authMethods = ['basic', 'body'] as const;

/** `waiting`: no token was asked for yet. `reconnect`: the token endpoint refused, and its secrets must be replaced. */
const states = ['waiting', 'connected', 'failing', 'reconnect'] as const;

/** What a form body and the header Basic can carry. */
const secret = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must have no control characters' });

const text = secret.max(1_024);

const tokenUrl = z
  .string()
  .max(2_048)
  .refine(isTokenUrl, { error: 'must be an http or https URL without user name, password and fragment' })
  .meta({
    description:
      'Client secret and refresh token go to exactly this URL, and no redirect is followed. Over plain http only to addresses that the operator allows.',
    example: 'https://auth.shop.example/oauth/token',
  });

function isTokenUrl(given: string): boolean {
  const url = URL.parse(given);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.username === '' && url.password === '' && url.hash === '';
}

/** The fields of a credential of type oauth2; `refresh_token` belongs to its grant alone. */
export const oauth2Fields = {
  grant_type: z.enum(grantTypes),
  token_url: tokenUrl,
  client_id: text,
  client_secret: secret,
  auth_method: z
    .enum(authMethods)
    .default('basic')
    .meta({ description: 'How the client authenticates: by the header `Authorization: Basic`, or in the body.' }),
  scope: text.optional(),
  audience: text.optional().meta({ description: 'Sent along where the service asks for one, as Auth0 does.' }),
  refresh_token: secret.optional().meta({
    description: 'Of the grant refresh_token. A service that replaces it has the new one stored here.',
  }),
};

/** Whether `refresh_token` is given to its grant alone. On replacing, it may be left out to keep the stored one. */
export const hasItsToken =
  ({ orKept }: { orKept: boolean }) =>
  (
    { grant_type, refresh_token }: { grant_type: (typeof grantTypes)[number]; refresh_token?: string | undefined },
    ctx: z.RefinementCtx,
  ): void => {
    const wants = grant_type === 'refresh_token';
    if (wants === (refresh_token !== undefined) || (wants && orKept)) return;
    const message = wants ? 'is required for this grant' : 'belongs to the grant refresh_token alone';
    ctx.addIssue({ code: 'custom', path: ['refresh_token'], message });
  };

const oauth2 = codec({
  grant_type: asStored(z.enum(grantTypes)),
  token_url: asStored(z.string()),
  client_id: asStored(z.string()),
  auth_method: asStored(z.enum(authMethods)),
  scope: nullable(asStored(z.string())),
  audience: nullable(asStored(z.string())),
  state: asStored(
    z.enum(states).meta({
      description:
        '`waiting`: no token was needed yet. `failing`: the token endpoint gave no token, and is asked again. `reconnect`: it refused, so requests fail until you replace the secrets.',
    }),
  ),
  reason: nullable(asStored(z.string()), {
    description:
      'Why it is failing or refused: an error of OAuth 2.0 such as `invalid_grant`, or a reason of requests.',
  }),
  renewed_at: nullable(time(), { description: 'When the last access token came.' }),
  expires_at: nullable(time()),
});

/** What a credential of type oauth2 shows of its client and token: no secret. */
export const oauth2Body = oauth2.body.meta({ id: 'OAuth2Client' });

export type OAuth2Row = RowOf<typeof oauth2>;

export const showOAuth2 = oauth2.show;
