import { connectDatabase, type Database, type DatabaseTarget } from '../platform/db/connect.ts';
import type { ReplaceOptions } from '../platform/db/replace-on-loss.ts';
import { createGathering } from '../platform/gather.ts';
import {
  findDueAttempt,
  findFirstAttempts,
  firstAttempt,
  recordAttempt,
  recordAttempts,
  type AttemptRecord,
  type DueAttempt,
  type EndedRound,
  type NewAttempt,
} from './attempts.ts';
import type { AttemptKey } from './types.ts';

/** Statements that attempts of several workflows share. `key.deliveryId` is a UUID. */
export type SharedAttempts = {
  /** What `findDueAttempt` answers. */
  find: (key: AttemptKey) => Promise<DueAttempt | undefined>;
  /** Does what `recordAttempt` does. */
  record: (key: AttemptKey, attempt: AttemptRecord) => Promise<EndedRound | undefined>;
};

/** The most attempts of one statement, and how many statements are under way. */
const bounds = { reads: { most: 100, atOnce: 1 }, records: { most: 100, atOnce: 1 } };

/** How long a statement may wait for one lock, and take in all, in ms. What needs longer goes alone. */
const patience = { lock_timeout: 50, statement_timeout: 2_000 };

/**
 * A pool for `createSharedAttempts`: a connection for each statement that may be under way. Plans are made once on each, because planning over the
 * weeks of the logs takes longer than running them.
 */
export const connectForAttempts = (target: DatabaseTarget, watching: ReplaceOptions = {}): Database =>
  connectDatabase(target, {
    max: bounds.reads.atOnce + bounds.records.atOnce,
    settings: { plan_cache_mode: 'force_generic_plan', ...patience },
    ...watching,
  });

/**
 * First attempts that are read, and attempts that are recorded, at about the same time share a statement. A row that somebody has locked holds up
 * none but its own: the statement is given up soon, and each attempt of it goes alone.
 */
export const createSharedAttempts = ({ db, forAttempts }: { db: Database; forAttempts: Database }): SharedAttempts => {
  const reads = createGathering<string, DueAttempt | undefined>({
    ...bounds.reads,
    one: async (id) => (await findFirstAttempts(forAttempts, [id])).get(id),
    many: async (ids) => {
      const found = await findFirstAttempts(forAttempts, ids);
      return (id) => found.get(id);
    },
  });
  const records = createGathering<NewAttempt, EndedRound | undefined>({
    ...bounds.records,
    one: ({ key, attempt }) => recordAttempt(forAttempts, key, attempt),
    many: async (attempts) => {
      const ended = new Map<NewAttempt, EndedRound | undefined>();
      for (const group of apart(attempts)) {
        const ends = new Map((await recordAttempts(forAttempts, group)).map((end) => [end.deliveryId, end]));
        for (const one of group) ended.set(one, ends.get(one.key.deliveryId));
      }
      return (one) => ended.get(one);
    },
  });
  return {
    // What is wrong with one attempt is not for the others to hear.
    find: (key) =>
      isFirst(key)
        ? reads.ask(key.deliveryId, key.deliveryId).catch(() => findDueAttempt(db, key))
        : findDueAttempt(db, key),
    // It may have been written where the connection was lost. Then it is not written again.
    record: (key, attempt) =>
      records.ask(key.deliveryId, { key, attempt }).catch(() => recordAttempt(db, key, attempt)),
  };
};

const isFirst = ({ round, kind, number }: AttemptKey): boolean =>
  round === firstAttempt.round && kind === firstAttempt.kind && number === firstAttempt.number;

/** Groups in which each delivery has one attempt, in the order that they came in. */
const apart = (attempts: readonly NewAttempt[]): NewAttempt[][] => {
  const groups: NewAttempt[][] = [];
  const seen = new Map<string, number>();
  for (const one of attempts) {
    const group = seen.get(one.key.deliveryId) ?? 0;
    seen.set(one.key.deliveryId, group + 1);
    (groups[group] ??= []).push(one);
  }
  return groups;
};
