import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import { showId } from '../ids.ts';

/** Corrects `routed_to` of messages that a run has taken as answers after they were kept or passed over. */
export const tellTaken = async ({ sql, tell }: Writer, runId: string, messageIds: readonly string[]): Promise<void> => {
  if (messageIds.length === 0) return;
  const rows = await sql<{ accountId: string }[]>`
    update messages set routed_to = ${sql.json({ to: 'run', run_id: showId('run', runId) })}
    where id = any(${[...messageIds]}) and (routed_to ? 'kept' or routed_to->>'because' = 'passed_over')
    returning account_id`;
  await tellMessages(tell, rows);
};

type PassedOver = {
  /** The runs that began their families; UUIDs. */
  rootRunIds: readonly string[];
  /** Up to this place in the order of everything that came for the contact; all when not given. */
  upTo?: number;
};

/** Marks messages that no run has taken as passed over. A run of the family that takes one later corrects it. */
export const tellPassedOver = async (
  { sql, tell }: Writer,
  { rootRunIds, upTo = Infinity }: PassedOver,
): Promise<void> => {
  const rows = await sql<{ accountId: string }[]>`
    update messages m set routed_to = m.routed_to - 'kept' || '{"to": "nobody", "because": "passed_over"}'
    from run_inputs i
    where i.run_id = any(${[...rootRunIds]}) and i.kind = 'reply' and i.taken_by_step is null and i.seq <= ${upTo}::float8
      and m.id = i.ref_id and m.routed_to->>'to' = 'run'
    returning m.account_id`;
  await tellMessages(tell, rows);
};

const tellMessages = async (tell: Writer['tell'], [first]: readonly { accountId: string }[]): Promise<void> => {
  if (first) await tell(changed(first.accountId, 'messages'));
};
