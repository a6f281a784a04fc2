import type { Plan } from '../shared/accounts/plans.ts';
import type { Role } from '../shared/accounts/schema.ts';

/** Who asks: the account, and the key or the signed-in user (with its session) that acts for it; ids are UUIDs. */
export type Principal = {
  accountId: string;
  plan: Plan;
  apiKeyId?: string;
  userId?: string;
  sessionId?: string;
  role?: Role;
};
