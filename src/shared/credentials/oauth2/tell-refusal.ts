import type { Transaction } from '../../platform/dispatch/transact.ts';
import { insertMail } from '../../mail/queries.ts';
import { createCredentialRefusedMail } from '../../mail/credential-refused.ts';
import type { TokenKey } from './rows.ts';

export type Urls = { baseUrl: string };

/** Tells the account's owners that a token endpoint has refused a credential: one mail each, until its secrets are replaced. */
export const tellRefusal = async (
  tx: Pick<Transaction, 'sql' | 'start'>,
  { baseUrl }: Urls,
  { accountId, credentialId, version, code }: TokenKey & { code: string },
): Promise<void> => {
  const owners = await tx.sql<
    { userId: string; recipient: string; recipientName: string | null; name: string; refusedAt: Date }[]
  >`
    select u.id as user_id, u.email as recipient, u.name as recipient_name, c.name, now() as refused_at
    from users u join credentials c on c.id = ${credentialId} and c.account_id = u.account_id
    where u.account_id = ${accountId} and u.role = 'owner' order by u.id limit 10`;
  for (const owner of owners)
    await insertMail(
      tx,
      createCredentialRefusedMail({ accountId, credentialId, version, code, ...owner }, { baseUrl }),
    );
};
