import { showId } from '../ids.ts';
import { greet } from './greet.ts';
import type { NewMail } from './queries.ts';

/** A credential that its token endpoint has refused, and the owner who gets the mail; ids are UUIDs. */
export type RefusedCredential = {
  accountId: string;
  userId: string;
  recipient: string;
  recipientName: string | null;
  credentialId: string;
  name: string;
  /** Counts its tokens and replacements. */
  version: number;
  /** An error of OAuth 2.0, `interrupted`, or a status. */
  code: string;
  refusedAt: Date;
};

/** The e-mail that tells an owner that a credential must be connected anew: one each, until its secrets are replaced. */
export const createCredentialRefusedMail = (
  credential: RefusedCredential,
  { baseUrl }: { baseUrl: string },
): NewMail => ({
  accountId: credential.accountId,
  kind: 'credential_refused',
  dedupKey: `credential_refused/${credential.credentialId}/${credential.userId}/${credential.version}`,
  recipient: credential.recipient,
  subject: `Reconnect your credential ${credential.name}`,
  body: `${greet(credential.recipientName)}

the token endpoint of your credential ${credential.name} refused to renew its access token at ${credential.refusedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC.

  Credential  ${showId('credential', credential.credentialId)}
  Reason      ${credential.code}

Until you replace its secrets, External Requests that use it take their port "error". To replace them, open:

  ${baseUrl}/settings/credentials

Parley
`,
});
