import type { Database } from '../platform/db/connect.ts';
import { withDeadline } from '../platform/deadline.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Answer } from './answer.ts';
import { ensureTestEndpoint, findTestEndpoint, updateTestEndpoint, type TestEndpointRow } from './queries.ts';
import type { TestAnswerChanges, testEndpointBody } from './schema.ts';
import type { z } from 'zod';

/** An account's address at the endpoint, and what it answers there. */
type Entry = { accountId: string; url: string; answer: Answer };

type Shown = z.infer<typeof testEndpointBody>;

/** Who is reached by which path. */
export type Directory = {
  /** Undefined for a token of nobody; `busy` while too many are looked up. */
  find: (token: string) => Promise<Entry | 'busy' | undefined>;
  read: (accountId: string) => Promise<Shown>;
  change: (accountId: string, changes: TestAnswerChanges) => Promise<Shown>;
};

/** The most accounts that are known without a look-up. */
const knownAtMost = 1_000;

/** The most look-ups at a time. Whoever guesses tokens takes no more of the database than this. */
const lookUpsAtMost = 4;

const lookUpMs = 2_000;

/** Looks accounts up by their tokens. It remembers them: only this process changes what they answer. */
export const createDirectory = ({ db, origin }: { db: Database; origin: string }): Directory => {
  const known = new Map<string, Entry>();
  let lookUps = 0;
  let changes = 0;
  const entryOf = ({ accountId, token, status, body, delayMs }: TestEndpointRow): Entry => ({
    accountId,
    url: `${origin}/${token}`,
    answer: { status, body, delayMs },
  });
  const remember = (row: TestEndpointRow): Entry => {
    const entry = entryOf(row);
    known.delete(row.token);
    if (known.size >= knownAtMost) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
    known.set(row.token, entry);
    return entry;
  };
  return {
    find: async (token) => {
      const remembered = known.get(token);
      if (remembered || token === '') return remembered;
      if (lookUps >= lookUpsAtMost) return 'busy';
      lookUps += 1;
      const before = changes;
      try {
        const row = await withDeadline(lookUpMs, 'the look-up', () => findTestEndpoint(db, token));
        // What was changed meanwhile is remembered already.
        return row && (changes === before ? remember(row) : (known.get(token) ?? entryOf(row)));
      } finally {
        lookUps -= 1;
      }
    },
    read: async (accountId) => show(entryOf(await ensureTestEndpoint(db, accountId))),
    change: async (accountId, { status, body, delay_ms: delayMs }) => {
      await ensureTestEndpoint(db, accountId);
      const text = body === undefined ? undefined : body === null ? null : JSON.stringify(body);
      const row = await updateTestEndpoint(db, accountId, { status, body: text, delayMs });
      changes += 1;
      return show(row ? remember(row) : entryOf(await ensureTestEndpoint(db, accountId)));
    },
  };
};

const show = ({ url, answer: { status, body, delayMs } }: Entry): Shown => ({
  url,
  answer: { status, body: body === null ? null : parseJson(body), delay_ms: delayMs },
});
