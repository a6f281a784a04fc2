import type postgres from 'postgres';
import { type EventTransact, type Reaction, withReactions } from '../../src/shared/facts/tell.ts';
import { transactionOn } from '../../src/shared/platform/dispatch/transact.ts';
import { reactions } from '../../src/shared/reactions.ts';

/** Runs work on these queries, which a test begins and ends itself. No workflow hears of it, and these reactions follow its events at once. */
export const transactOn = (sql: postgres.TransactionSql, toEvents: readonly Reaction[] = []): EventTransact =>
  withReactions({ ...reactions, toEvents }, (work) => work(transactionOn(sql, [])));
