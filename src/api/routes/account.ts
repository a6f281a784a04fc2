import { findAccount, updateAccount } from '../../shared/accounts/queries.ts';
import { accountBody, accountChanges, showAccount } from '../../shared/accounts/schema.ts';
import { found } from '../../shared/errors.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';

/** The settings of one's own account. */
export const accountSettingRoutes = (deps: ApiDeps): Resource => {
  const account = createResource(deps, 'Account');
  endpoint(
    account,
    {
      id: 'getAccountSettings',
      method: 'get',
      path: '/account',
      summary: 'Read the account',
      role: 'agent',
      answers: { 200: accountBody },
    },
    async ({ principal }) => showAccount(found('account', await findAccount(deps.db, principal.accountId))),
  );
  endpoint(
    account,
    {
      id: 'updateAccountSettings',
      method: 'patch',
      path: '/account',
      summary: "Change the account's settings",
      role: 'editor',
      body: accountChanges,
      answers: { 200: accountBody },
    },
    async ({ principal, body }) =>
      showAccount(found('account', await updateAccount(deps.db, principal.accountId, body))),
  );
  return account;
};
