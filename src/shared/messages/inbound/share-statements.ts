import { connectDatabase, type Database, type DatabaseTarget, type Sql } from '../../platform/db/connect.ts';
import type { ReplaceOptions } from '../../platform/db/replace-on-loss.ts';
import { createGathering } from '../../platform/gather.ts';
import type { Incoming } from './message.ts';
import { readMessages, type Met } from './read-messages.ts';
import { writeMessages, type PreparedMessage, type Written } from './write-messages.ts';

/** Statements that the messages of several requests share. */
export type InboundStatements = {
  read: (incoming: Incoming) => Promise<Met | undefined>;
  /** Undefined when it was not written: with others where that needs no wait, else by `alone`. */
  write: (message: PreparedMessage, alone: WriteAlone) => Promise<Written | undefined>;
};

type WriteAlone = () => Promise<Written | undefined>;

/** The most messages of one statement, and how many statements are under way. */
const bounds = { reads: { most: 50, atOnce: 1 }, writes: { most: 50, atOnce: 2 } };

/** The most deliveries of a message that shares a statement: one account's many webhooks are not for others to wait for. */
const mostDeliveries = 5;

/** How long a statement may wait for one lock, and take in all, in ms. A message that needs longer goes alone. */
export const patience = { lock_timeout: 50, statement_timeout: 2_000 };

/** A pool for `createInboundStatements`: a connection for each statement that may be under way. Plans are made once on each. */
export const connectForMessages = (target: DatabaseTarget, watching: ReplaceOptions = {}): Database =>
  connectDatabase(target, {
    max: bounds.reads.atOnce + bounds.writes.atOnce,
    settings: { plan_cache_mode: 'force_generic_plan', ...patience },
    ...watching,
  });

/**
 * Messages that come at about the same time share their statements. None waits for a lock that another account holds: a statement leaves out what
 * is locked, and where it has to wait all the same (for the same message in a transaction that has not ended) it is given up soon. What was left
 * out goes alone, and waits there. Until it is through, so does whatever else its account sends.
 */
export const createInboundStatements = ({ db, forMessages }: { db: Sql; forMessages: Sql }): InboundStatements => {
  /** How many messages go alone, by account. */
  const aside = new Map<string, number>();

  const reads = createGathering<Incoming, Met | undefined>({
    ...bounds.reads,
    many: (messages) => readMessages(forMessages, messages),
  });
  const writes = createGathering<PreparedMessage, Written | undefined>({
    ...bounds.writes,
    // Its row is locked by the statement: another one would leave the message out.
    key: ({ conversationId }) => conversationId,
    many: (messages) => writeMessages(forMessages, messages, { waits: false }),
  });

  const goAlone: (accountId: string, alone: WriteAlone) => ReturnType<WriteAlone> = async (accountId, alone) => {
    aside.set(accountId, (aside.get(accountId) ?? 0) + 1);
    try {
      return await alone();
    } finally {
      const left = (aside.get(accountId) ?? 0) - 1;
      if (left > 0) aside.set(accountId, left);
      else aside.delete(accountId);
    }
  };

  return {
    // What is wrong with one message is not for the others to hear.
    read: (incoming) =>
      reads.ask(incoming.accountId, incoming).catch(async () => (await readMessages(db, [incoming]))(incoming)),
    write: async (message, alone) => {
      const { accountId } = message.incoming;
      if (message.sent.deliveries.length > mostDeliveries) return alone();
      if (aside.has(accountId)) return goAlone(accountId, alone);
      // It may have been written where the connection was lost. Then it is not written again, but found as a duplicate.
      const written = await writes.ask(accountId, message).catch(() => undefined);
      return written ?? goAlone(accountId, alone);
    },
  };
};
