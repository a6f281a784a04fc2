import { findAccount } from '../../shared/accounts/queries.ts';
import { accountBody, showAccount } from '../../shared/accounts/schema.ts';
import { found } from '../../shared/errors.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';

/** GET /api/accounts/me: the account that owns the access token (specification 4.1). */
export const accountRoutes = (deps: ApiDeps): Resource => {
  const account = createResource(deps, 'Account');
  endpoint(
    account,
    {
      id: 'getAccount',
      method: 'get',
      path: '/accounts/me',
      summary: 'The account that owns the access token',
      role: 'agent',
      answers: { 200: accountBody },
    },
    async ({ principal }) => showAccount(found('account', await findAccount(deps.db, principal.accountId))),
  );
  return account;
};
