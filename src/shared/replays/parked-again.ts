import type { Sql } from '../platform/db/connect.ts';
import { deliveryConditions } from '../deliveries/queries.ts';
import type { Candidate } from './filter.ts';
import type { ReplayRow } from './queries.ts';

/** The most parked deliveries that one batch looks at, whoever began their rounds, which bounds its cost. */
const lookedAtOnce = 1_000;

/**
 * The next deliveries behind a replay's cursor, oldest first, that this replay had begun and that were parked again since, at most `limit`.
 * `lookedAt` is the last delivery that was looked at, null at the end.
 */
export const listParkedAgain = async (
  sql: Sql,
  { id, accountId, variants, webhookId, cursor, parkedAgainCursor }: ReplayRow,
  limit: number,
): Promise<{ parked: Candidate[]; lookedAt: string | null }> => {
  const rows = await sql<(Candidate & { ours: boolean })[]>`
    select id, webhook_id, coalesce(round_origins -> round::text ->> 'replay_id' = ${id}, false) as ours from deliveries
    where ${deliveryConditions(sql, { accountId, variants }, { webhookId, statuses: ['parked'] })}
      and id > ${parkedAgainCursor} and id <= ${cursor}
    order by id limit ${lookedAtOnce}`;
  const parked = rows.filter(({ ours }) => ours).slice(0, limit);
  const lookedAt = (parked.length === limit ? parked : rows.length === lookedAtOnce ? rows : []).at(-1)?.id ?? null;
  return { parked, lookedAt };
};
