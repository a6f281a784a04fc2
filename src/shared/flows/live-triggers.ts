import type { Fragment, Sql } from '../platform/db/connect.ts';
import { matchesKeyword, readMessage } from './keywords.ts';
import { matchesStartLink, readStartPayload } from './start-link.ts';

/** A trigger of a live flow; `flowId` is a UUID. */
export type LiveTrigger = {
  flowId: string;
  type: string;
  match: 'exact' | 'contains' | 'prefix' | null;
  words: readonly string[] | null;
  interrupt: boolean;
  tag: string | null;
  status: string | null;
};

/**
 * The query of an account's live triggers of these types as one JSON array, those that win first: by priority, then the oldest flow. Null
 * for an account that has never published a flow.
 */
export const selectTriggers = (sql: Sql, accountId: string | Fragment, types: readonly string[]) => sql`
  select case when a.automated then (
    select coalesce(json_agg(json_build_object('flowId', t.flow_id, 'type', t.type, 'match', t.match, 'words', t.words,
      'interrupt', t.interrupt, 'tag', t.tag, 'status', t.status) order by t.priority desc, t.flow_id, t.place), '[]')
    from flow_triggers t where t.account_id = a.id and t.type = any(${[...types]})) end
  from accounts a where a.id = ${accountId}`;

/** Those that a message fires, in the order in which they are tried: links by which it came, keywords that it has, and then what takes any message. */
export const listFired = (triggers: readonly LiveTrigger[], text: string): LiveTrigger[] => {
  const message = readMessage(text);
  const hits = triggers.filter(
    ({ type, match, words }) => type === 'keyword' && match && matchesKeyword(message, { match, words: words ?? [] }),
  );
  const payload = readStartPayload(text);
  const links =
    payload === undefined
      ? []
      : triggers.filter((trigger) => trigger.type === 'start_link' && matchesStartLink(payload, trigger));
  return [...links, ...hits, ...triggers.filter(({ type }) => type === 'default_reply')];
};
