import { z } from 'zod';
import { plans, planAllowsWebhooks } from '../../shared/accounts/plans.ts';
import { findAccount } from '../../shared/accounts/queries.ts';
import { notFound } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import { createRouter, endpoint, type ApiDeps, type ApiRouter } from '../http.ts';

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
export const accountRoutes = ({ db }: ApiDeps): ApiRouter => {
  const router = createRouter('Account');
  const me = {
    id: 'getAccount',
    method: 'get',
    path: '/accounts/me',
    summary: 'The account that owns the access token',
    answers: { 200: accountBody },
  } as const;
  endpoint(router, me, async (ctx) => {
    const account = await findAccount(db, ctx.state.principal.accountId);
    if (!account) throw notFound('account');
    ctx.body = {
      id: showId('account', account.id),
      name: account.name,
      plan: account.plan,
      webhooks_allowed: planAllowsWebhooks(account.plan),
      created_at: account.createdAt.toISOString(),
    } satisfies z.infer<typeof accountBody>;
  });
  return router;
};
