import type { Sql } from '../../platform/db/connect.ts';
import { findWords } from './found-words.ts';
import { excerptLength, type ConversationRow } from './schema.ts';

/** The UUID of the latest message that was found in a conversation, by the UUID of the conversation. */
export type Found = ReadonlyMap<string, string>;

/** The most words of a search that count. */
const wordsAtMost = 8;

/** The last word is mostly still being typed. A shorter beginning is that of too many words. */
const beginningAtLeast = 3;

/** The index has words by spans of 2^28 ms, some three days: so many are eight years. */
const spansAtMost = 1_000;

/**
 * The conversations whose messages have all words of the text, as far as so many; the latest are found first. It reads the index span by span from
 * the latest on until there are enough, so that neither a common word nor a rare one takes long.
 */
export const findByText = async (
  sql: Sql,
  accountId: string,
  { text, atMost }: { text: string; atMost: number },
): Promise<Found> => {
  const [words] = await sql<{ all: string[]; isBuilt: boolean | null }[]>`
    select array(select substr(lexeme, 2) from unnest(search_vector('', ${text})) where lexeme <> 'w' order by positions[1] limit ${wordsAtMost}) as all,
      (select indisvalid from pg_index where indexrelid = to_regclass('messages_words')) as is_built`;
  // Without its index, which is built in the background after an upgrade, a search would read all messages.
  if (!words?.isBuilt || words.all.length === 0) return new Map();
  const isBeginning = (word: string, place: number): boolean =>
    place === words.all.length - 1 && word.length >= beginningAtLeast;
  const ends = words.all.map((word, place) => `${word}'${isBeginning(word, place) ? ':*' : ''}`);
  const rows = await sql<{ conversationId: string; id: string }[]>`
    select said.* from (
      select ('x' || left(min(id::text), 5))::bit(20)::int as first, ('x' || left(max(id::text), 5))::bit(20)::int as last from (
        (select id from messages where account_id = ${accountId} order by account_id, id limit 1) union all
        (select id from messages where account_id = ${accountId} order by account_id desc, id desc limit 1)) as ends(id)) as spans
    cross join lateral generate_series(last, greatest(first, last - ${spansAtMost}), -1) as span
    cross join lateral (
      select conversation_id, max(id::text) as id from (
        select id, account_id, conversation_id from messages
        where search_vector(right(account_id::text, 8) || left(id::text, 5), text) @@ (
          select string_agg('''w' || right(${accountId}::text, 8) || lpad(to_hex(span), 5, '0') || word, ' & ')::tsquery
          from unnest(${ends}::text[]) as word)
        offset 0) as having_them
      where account_id = ${accountId} group by conversation_id order by 2 desc limit ${atMost}) as said
    limit ${atMost}`;
  // A conversation may be found in several spans, in the latest of them first.
  return new Map(rows.toReversed().map(({ conversationId, id }) => [conversationId, id]));
};

/** The conversations with what was found in them. */
export const withFound = async (
  sql: Sql,
  rows: readonly ConversationRow[],
  { said, text }: { said: Found; text: string },
): Promise<ConversationRow[]> => {
  const ids = rows.flatMap(({ id }) => said.get(id) ?? []);
  const messages = await sql<{ id: string; text: string; createdAt: Date }[]>`
    select id, text, sent_at as created_at from messages where id = any(${ids}::uuid[])`;
  const byId = new Map(messages.map((message) => [message.id, message]));
  return rows.map((row) => {
    const found = byId.get(said.get(row.id) ?? '');
    return found ? { ...row, foundMessage: { ...found, text: excerptOf(found.text, text) } } : row;
  });
};

/** How many characters of an excerpt stand before the first word that was found: a row of a list has room for few. */
const before = 16;

/** The part of a text around the first of these words that stands in it, or its beginning. */
const excerptOf = (text: string, words: string): string => {
  const first = findWords(text, words)[0]?.from ?? 0;
  if (first <= before * 1.5) return text.slice(0, excerptLength).toWellFormed();
  const start = first - before + 1;
  return `…${text.slice(start, start + excerptLength - 1).toWellFormed()}`;
};
