import type { Sql } from '../platform/db/connect.ts';
import type { Issue } from './definition/issues.ts';
import { validateDefinition } from './definition/validate.ts';
import { readKnown } from './known.ts';

/** What checking a definition needs. `refuseUrl` tells why an address that a flow names may not be called, as far as it is plain to see. */
export type CheckDeps = { sql: Sql; refuseUrl: (url: string) => string | undefined };

/** Everything that is wrong with a definition, errors first, or questionable, judged by what the account has now. */
export const checkDefinition = async (
  { sql, refuseUrl }: CheckDeps,
  { accountId, flowId, definition }: { accountId: string; flowId: string | null; definition: unknown },
): Promise<Issue[]> => {
  const known = await readKnown(sql, { accountId, flowId });
  return validateDefinition(definition, { ...known, refuseUrl });
};
