import { z } from 'zod';
import { plans, planAllowsWebhooks } from '../../shared/accounts/plans.ts';
import { findAccount } from '../../shared/accounts/queries.ts';
import { found } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { createResource, endpoint, type Resource } from '../endpoint.ts';
import type { ApiDeps } from '../http.ts';

const accountBody = z
  .object({
    id: z.string().meta({ example: 'acc_01jd6z3qf5e8pb2zv0w8c4x1kn' }),
    name: z.string(),
    plan: z.enum(plans),
    webhooks_allowed: z.boolean().meta({ description: 'Whether the plan includes webhooks.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

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
    async ({ principal }) => {
      const row = found('account', await findAccount(deps.db, principal.accountId));
      return {
        id: showId('account', row.id),
        name: row.name,
        plan: row.plan,
        webhooks_allowed: planAllowsWebhooks(row.plan),
        created_at: row.createdAt.toISOString(),
      };
    },
  );
  return account;
};
