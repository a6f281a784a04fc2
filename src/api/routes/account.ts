import { findAccount, updateAccount } from '../../shared/accounts/queries.ts';
import { planAllowsWebhooks } from '../../shared/accounts/plans.ts';
import {
  accountBody,
  accountChanges,
  showAccount,
  usersPerAccount,
  type AccountRow,
} from '../../shared/accounts/schema.ts';
import { found } from '../../shared/errors.ts';
import { wakeRunsByClock } from '../../shared/runs/life/wake-by-clock.ts';
import { webhooksPerAccount } from '../../shared/webhooks/schema.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type DoorName, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

/** An account with its limits. */
const show = ({ config }: ApiDeps, row: AccountRow) => ({
  ...showAccount(row),
  limits: {
    requests_per_minute: config.rateLimitPerMinute,
    webhooks: planAllowsWebhooks(row.plan) ? webhooksPerAccount.present : 0,
    users: usersPerAccount,
  },
});

/** The account that the credential belongs to. */
const readable = (
  deps: ApiDeps,
  doors: readonly DoorName[],
  declared: { id: string; path: string; summary: string },
): Resource => {
  const account = createResource(deps, {
    tag: { name: 'Account', description: 'The account of a key or user, and its settings.' },
    doors,
  });
  endpoint(
    account,
    { ...declared, method: 'get', role: 'agent', answers: { 200: accountBody } },
    async ({ principal }) => show(deps, found('account', await findAccount(deps.db, principal.accountId))),
  );
  return account;
};

/** GET /api/accounts/me: the account that owns the access token (specification 4.1). */
export const accountRoutes = (deps: ApiDeps): Resource =>
  readable(deps, ['api'], {
    id: 'getAccount',
    path: '/accounts/me',
    summary: 'Read the account that owns the access token',
  });

/** The settings of one's own account. */
export const accountSettingRoutes = (deps: ApiDeps): Resource => {
  const account = readable(deps, ['v1', 'dashboard'], {
    id: 'getAccountSettings',
    path: '/account',
    summary: 'Read the account',
  });
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
    async ({ principal: { accountId }, body }) => {
      const updated = await deps.autocommit((statement) => updateAccount(statement, accountId, body));
      const account = found('account', updated);
      // What this leaves, or a crash before it, `wakeByChangedClocks` makes up for.
      if (body.time_zone !== undefined) await deps.transact((tx) => wakeRunsByClock(tx, accountId));
      return show(deps, account);
    },
  );
  return account;
};
