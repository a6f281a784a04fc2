import { type EventTransact, type Reaction, withReactions } from '../../src/shared/events/emit.ts';
import type { Sql } from '../../src/shared/platform/db/connect.ts';

/** Runs work on these queries, which a test begins and ends itself. No workflow hears of it, and these reactions follow its events. */
export const transactOn = (sql: Sql, reactions: readonly Reaction[] = []): EventTransact =>
  withReactions(reactions, (work) => work({ sql, start: () => {}, wake: async () => {} }));
