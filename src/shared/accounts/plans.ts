import type { Sql } from '../platform/db/connect.ts';

export const plans = ['free', 'pro', 'business'] as const;

export type Plan = (typeof plans)[number];

/** Webhooks need Pro or higher (specification 1.5 and 8). */
export const planAllowsWebhooks = (plan: Plan): boolean => plan !== 'free';

/** SQL: the same of an account. A literal, because it costs no parameter. */
export const accountAllowsWebhooks = (sql: Sql) => sql`plan <> 'free'`;
