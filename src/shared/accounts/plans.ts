import type { Sql } from '../platform/db/connect.ts';

export const plans = ['free', 'pro', 'business'] as const;

export type Plan = (typeof plans)[number];

/** Webhooks need Pro or higher (specification 1.5 and 8). */
export const planAllowsWebhooks = (plan: Plan): boolean => plan !== 'free';

/** The same in SQL, of an account; a literal, so that it costs no parameter. */
export const accountAllowsWebhooks = (sql: Sql) => sql`plan <> 'free'`;
