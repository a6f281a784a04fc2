import { createCredential } from '../../../src/shared/credentials/manage.ts';
import { claimToken, refuseToken } from '../../../src/shared/credentials/oauth2/rows.ts';
import { newUuid } from '../../../src/shared/ids.ts';
import type { Secrets } from '../../../src/shared/platform/secrets/seal.ts';
import { untold } from '../untold.ts';
import type { Database, Sql } from '../../../src/shared/platform/db/connect.ts';

/** A credential that its token endpoint has refused; answers its UUID. */
export const aRefusedCredential = async (
  { db, secrets }: { db: Database; secrets: Secrets },
  accountId: string,
  name: string,
): Promise<string> => {
  const { id: credentialId } = await createCredential({ ...untold(db), secrets }, accountId, {
    name,
    type: 'oauth2',
    hosts: ['api.shop.example'],
    grant_type: 'refresh_token',
    token_url: 'https://auth.shop.example/token',
    client_id: 'parley',
    client_secret: 'client-secret',
    auth_method: 'basic',
    refresh_token: 'refresh-secret',
  });
  const key = { accountId, credentialId, lease: newUuid() };
  const claimed = await claimToken(untold(db), secrets, key);
  if (claimed.type === 'mine') await refuseToken(untold(db), { ...key, version: claimed.version }, 'invalid_grant');
  return credentialId;
};

// ---- What no writer makes, and why tests need it.

/** Time passes for the access tokens of all credentials, and for who asks for them. */
export const ageTokens = async (sql: Sql, { seconds }: { seconds: number }): Promise<void> => {
  const ago = sql`make_interval(secs => ${seconds})`;
  await sql`
    update oauth2_clients set renewed_at = renewed_at - ${ago}, refresh_at = refresh_at - ${ago}, expires_at = expires_at - ${ago},
      rejected_at = rejected_at - ${ago}, leased_until = leased_until - ${ago}, failed_at = failed_at - ${ago}, retry_at = retry_at - ${ago}`;
};
