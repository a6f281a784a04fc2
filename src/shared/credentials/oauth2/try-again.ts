import { RequestError } from '../../errors.ts';
import type { EventTransact } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { getCredential } from '../manage.ts';
import type { CredentialRow } from '../schema.ts';
import { forgetRefusal } from './rows.ts';
import type { Tokens } from './tokens.ts';

type Deps = { sql: Sql; transact: EventTransact; tokens: Pick<Tokens, 'renew'> };

/**
 * Has the token endpoint asked once more for a credential that it has refused, with the same secrets, and waits for the outcome, 15 s at most. One
 * that has a good token keeps it. Throws `not_found`, and `conflict` for a credential of another type.
 */
export const tryTokenAgain = async (
  { sql, transact, tokens }: Deps,
  { accountId, id }: { accountId: string; id: string },
): Promise<CredentialRow> => {
  const key = { accountId, credentialId: id };
  await transact(async (tx) => {
    const { type } = await getCredential(tx.sql, accountId, id);
    if (type !== 'oauth2') throw new RequestError('conflict', 'Only a credential of type oauth2 has access tokens.');
    await forgetRefusal(tx, key);
  });
  await tokens.renew(key, { isGood: false });
  return getCredential(sql, accountId, id);
};
