import { z } from 'zod';
import { RequestError } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { foldTag } from '../tags/fold.ts';
import { foldTyped } from '../typed/text.ts';
import { frame } from './definition/definition.ts';
import { triggerTypes, type Trigger } from './definition/triggers.ts';
import type { FlowKey } from './queries.ts';

/** The most triggers of an account's live flows, and the most words of them: each inbound message is compared with all. */
const liveAtMost = { triggers: 500, words: 1_000 } as const;

/** As much of a definition as triggers need. */
const withTriggers = z.object({ triggers: frame.triggers });

/** A trigger of a live flow as it is stored; words and tag as they are compared. */
export type TriggerRow = {
  flowId: string;
  flowName: string;
  place: number;
  type: Exclude<Trigger['type'], 'api'>;
  priority: number;
  match: 'exact' | 'contains' | 'prefix' | null;
  words: string[] | null;
  interrupt: boolean;
  tag: string | null;
  status: string | null;
};

/**
 * Makes the triggers of a flow's published version the live ones. Throws `conflict` when the account has too many. The caller holds
 * `lockUses`.
 */
export const putTriggersInForce = async (sql: Sql, { accountId, id }: FlowKey): Promise<void> => {
  const [version] = await sql<{ definition: unknown }[]>`
    select v.definition from flows f join flow_versions v on v.flow_id = f.id and v.version = f.version where f.id = ${id}`;
  const { triggers } = withTriggers.parse(version?.definition);
  await deleteTriggers(sql, id);
  const rows = triggers.flatMap((trigger, place) =>
    trigger.type === 'api' ? [] : [{ flow_id: id, account_id: accountId, place, ...columnsOf(trigger) }],
  );
  if (rows.length === 0) return;
  await sql`insert into flow_triggers ${sql(rows)}`;
  await requireFew(sql, accountId);
};

const columnsOf = (trigger: Exclude<Trigger, { type: 'api' }>) => {
  const { type } = trigger;
  const none = { type, priority: 0, match: null, words: null, interrupt: false, tag: null, status: null };
  if (type === 'keyword') {
    const { priority, match, words, interrupt } = trigger;
    return { ...none, priority, match, words: [...new Set(words.map(foldTyped))], interrupt };
  }
  if (type === 'start_link') {
    const { priority, match, payload } = trigger;
    const compared = payload === undefined ? {} : { match, words: [payload] };
    return { ...none, priority, ...compared, interrupt: true };
  }
  if (type === 'tag_applied') return { ...none, tag: foldTag(trigger.tag) };
  if (type === 'order_status_changed') return { ...none, status: trigger.status ?? null };
  return { ...none, ...(type === 'default_reply' && { priority: trigger.priority }) };
};

const requireFew = async (sql: Sql, accountId: string): Promise<void> => {
  const [live] = await sql<[{ triggers: number; words: number }]>`
    select count(*)::int as triggers, coalesce(sum(cardinality(words)), 0)::int as words
    from flow_triggers where account_id = ${accountId}`;
  if (live.triggers <= liveAtMost.triggers && live.words <= liveAtMost.words) return;
  throw new RequestError(
    'conflict',
    `The live flows of an account have at most ${liveAtMost.triggers} triggers with ${liveAtMost.words} words. Pause a flow first.`,
  );
};

/** Takes the triggers of a flow out of force. */
export const deleteTriggers = async (sql: Sql, flowId: string): Promise<void> => {
  await sql`delete from flow_triggers where flow_id = ${flowId}`;
};

/** The triggers of an account's live flows, those of a type together, in the order in which they are tried. */
export const listTriggers = (sql: Sql, accountId: string): Promise<TriggerRow[]> => sql<TriggerRow[]>`
  select t.flow_id, f.name as flow_name, t.place, t.type, t.priority, t.match, t.words, t.interrupt, t.tag, t.status
  from flow_triggers t join flows f on f.id = t.flow_id where t.account_id = ${accountId}
  order by array_position(${[...triggerTypes]}::text[], t.type), t.interrupt desc, t.priority desc,
    t.flow_id, t.place limit ${liveAtMost.triggers}`;
