import { PasswordInput, Select, TextInput } from '@mantine/core';
import { authMethods, grantTypes } from '../../../shared/credentials/oauth2/schema.ts';
import type { Schemas } from '../../api/client.ts';
import { words } from './words.ts';

type Replacement = Schemas['OAuth2Replacement'];

/** The client of a credential of type oauth2 as it is typed. What is empty is left out. */
export type WrittenClient = Required<Omit<Replacement, 'type' | 'hosts'>>;

/** What the form begins with; of a stored client all but its secrets. */
export const clientOf = (stored?: Schemas['OAuth2Client'] | null): WrittenClient => ({
  grant_type: stored?.grant_type ?? 'client_credentials',
  token_url: stored?.token_url ?? '',
  client_id: stored?.client_id ?? '',
  client_secret: '',
  auth_method: stored?.auth_method ?? 'basic',
  scope: stored?.scope ?? '',
  audience: stored?.audience ?? '',
  refresh_token: '',
});

export const readClient = ({
  scope,
  audience,
  refresh_token,
  ...client
}: WrittenClient): Omit<Replacement, 'type' | 'hosts'> => ({
  grant_type: client.grant_type,
  token_url: client.token_url,
  client_id: client.client_id,
  client_secret: client.client_secret,
  auth_method: client.auth_method,
  ...(scope !== '' && { scope }),
  ...(audience !== '' && { audience }),
  ...(client.grant_type === 'refresh_token' && refresh_token !== '' && { refresh_token }),
});

type Props = {
  inputOf: (name: keyof WrittenClient) => object;
  grantType: WrittenClient['grant_type'];
  /** A stored refresh token can be kept. */
  keepsToken: boolean;
};

/** How a credential of type oauth2 gets its access tokens. */
export const OAuth2Fields = ({ inputOf, grantType, keepsToken }: Props) => (
  <>
    <Select
      label={words.grantType}
      data={grantTypes.map((value) => ({ value, label: words.grantTypes[value] }))}
      allowDeselect={false}
      {...inputOf('grant_type')}
    />
    <TextInput
      label={words.tokenUrl}
      description={words.tokenUrlHint}
      placeholder="https://auth.example.com/oauth/token"
      required
      autoComplete="off"
      {...inputOf('token_url')}
    />
    <TextInput label={words.clientId} required autoComplete="off" {...inputOf('client_id')} />
    <PasswordInput label={words.clientSecret} required autoComplete="new-password" {...inputOf('client_secret')} />
    {grantType === 'refresh_token' && (
      <PasswordInput
        label={words.refreshToken}
        description={keepsToken ? words.keptTokenHint : words.refreshTokenHint}
        required={!keepsToken}
        autoComplete="new-password"
        {...inputOf('refresh_token')}
      />
    )}
    <Select
      label={words.authMethod}
      data={authMethods.map((value) => ({ value, label: words.authMethods[value] }))}
      allowDeselect={false}
      {...inputOf('auth_method')}
    />
    <TextInput label={words.scope} autoComplete="off" {...inputOf('scope')} />
    <TextInput label={words.audience} description={words.audienceHint} autoComplete="off" {...inputOf('audience')} />
  </>
);
