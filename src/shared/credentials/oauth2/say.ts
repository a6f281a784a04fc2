const refusals: Readonly<Record<string, string>> = {
  invalid_client: 'the token endpoint does not accept the client id and secret',
  invalid_grant: 'the token endpoint does not accept the refresh token any more',
  interrupted: 'a renewal was interrupted, and the token endpoint does not accept the refresh token again',
  invalid_scope: 'the token endpoint does not grant this scope',
  unauthorized_client: 'the client may not use this grant',
  unsupported_grant_type: 'the token endpoint does not know this grant',
  access_denied: 'the token endpoint denied access',
};

/** Why a token endpoint has refused a credential, in words. */
export const sayRefusal = (code: string): string =>
  refusals[code] ?? `the token endpoint refused it (${sayStatus(code)})`;

const failures: Readonly<Record<string, string>> = {
  timeout: 'the token endpoint did not answer in time',
  dns: 'the host name of the token endpoint was not found',
  refused_address: 'the address of the token endpoint may not be called',
  connect: 'no connection to the token endpoint',
  tls: 'the certificate of the token endpoint was refused',
  reset: 'the connection to the token endpoint was lost',
  invalid_answer: 'the answer of the token endpoint holds no bearer token',
};

/** Why a token endpoint gave no token, in words. */
export const sayFailure = (code: string): string =>
  failures[code] ?? `the token endpoint gave none (${sayStatus(code)})`;

const sayStatus = (code: string): string => code.replace(/^status_(?=\d{3}$)/, 'HTTP ');
