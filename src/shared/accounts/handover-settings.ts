import type { Fragment, Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';

/** What an account has decided on handovers. `words` as `foldTyped` makes them. */
export type HandoverSettingsRow = { words: string[]; expireAfterHours: number };

/** How long a handover stays open at most, in hours, in an account that has not said so. */
export const usualHandoverHours = 7 * 24;

export const findHandoverSettings = async (sql: Sql, accountId: string): Promise<HandoverSettingsRow> => {
  const [row] = await sql<HandoverSettingsRow[]>`
    select words, expire_after_hours from handover_settings where account_id = ${accountId}`;
  return row ?? { words: [], expireAfterHours: usualHandoverHours };
};

/** Changes what is given, for handovers and messages from now on. */
export const updateHandoverSettings = async (
  { sql, tell }: Writer,
  accountId: string,
  changes: { words?: string[] | undefined; expireAfterHours?: number | undefined },
): Promise<HandoverSettingsRow> => {
  const words = changes.words ?? null;
  const hours = changes.expireAfterHours ?? null;
  await sql`
    insert into handover_settings (account_id, words, expire_after_hours)
    values (${accountId}, coalesce(${words}::text[], '{}'), coalesce(${hours}::int, ${usualHandoverHours}))
    on conflict (account_id) do update set words = coalesce(${words}::text[], handover_settings.words),
      expire_after_hours = coalesce(${hours}::int, handover_settings.expire_after_hours)`;
  await tell(changed(accountId, 'account'));
  return findHandoverSettings(sql, accountId);
};

/** The query of the words by which the account's contacts ask for a person; null where it has chosen none. */
export const selectHandoverWords = (sql: Sql, accountId: string | Fragment) => sql`
  select to_json(words) from handover_settings where account_id = ${accountId} and words <> '{}'`;
