import { changed } from '../facts/changed.ts';
import { talked, type Talk } from '../facts/talked.ts';
import type { Writer } from '../facts/tell.ts';
import { showId } from '../ids.ts';
import type { Fragment } from '../platform/db/connect.ts';

/** Corrects `routed_to` of messages that a run has taken as answers after they were kept or passed over. */
export const tellTaken = async ({ sql, tell }: Writer, runId: string, messageIds: readonly string[]): Promise<void> => {
  if (messageIds.length === 0) return;
  const isMeant = sql`m.id = any(${[...messageIds]}) and (m.routed_to ? 'kept' or m.routed_to->>'because' = 'passed_over')`;
  const routed = sql`${sql.json({ to: 'run', run_id: showId('run', runId) })}::jsonb`;
  await changeRouted({ sql, tell }, sql`select m.id, m.conversation_id from messages m where ${isMeant}`, routed);
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
  const passed = sql`
    select m.id, m.conversation_id from run_inputs i join messages m on m.id = i.ref_id
    where i.run_id = any(${[...rootRunIds]}) and i.kind = 'reply' and i.taken_by_step is null and i.seq <= ${upTo}::float8
      and m.routed_to->>'to' = 'run'`;
  await changeRouted({ sql, tell }, passed, sql`m.routed_to - 'kept' || '{"to": "nobody", "because": "passed_over"}'`);
};

/** Changes where messages go, each at a revision of its own of its conversation. The contact is locked. */
const changeRouted = async ({ sql, tell }: Writer, messages: Fragment, routed: Fragment): Promise<void> => {
  const talks = await sql<Talk[]>`
    with meant as materialized (
      select id, conversation_id, row_number() over (partition by conversation_id order by id) as number from (${messages}) as message
    ), counted as (
      update conversations v set revision = v.revision + many.count
      from (select conversation_id, count(*) as count from meant group by conversation_id) as many
      where v.id = many.conversation_id returning v.id, v.account_id, v.revision, v.revision - many.count as before
    ), routed as (
      update messages m set routed_to = ${routed}, revision = counted.before + meant.number
      from meant join counted on counted.id = meant.conversation_id where m.id = meant.id
    )
    select account_id, id as conversation_id, revision::float8 as revision from counted`;
  for (const { accountId, conversationId, revision } of talks) {
    await tell(changed(accountId, 'messages', 'conversations'));
    await tell(talked(accountId, conversationId, revision));
  }
};
