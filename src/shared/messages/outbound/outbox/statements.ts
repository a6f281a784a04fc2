import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '../../../platform/batches.ts';
import type { Database, Sql } from '../../../platform/db/connect.ts';
import { withDeadline } from '../../../platform/deadline.ts';
import { codeOf } from '../../../platform/error-code.ts';
import type { Transact } from '../../../platform/dispatch/transact.ts';
import { createGathering } from '../../../platform/gather.ts';
import type { Logger } from '../../../platform/log.ts';
import { topicsOf, type TellTopics } from '../../../facts/topics.ts';
import { recordSent, type SentMessage } from '../record-sent.ts';
import type { Recorded, SlotRecord } from '../record-slot.ts';
import { pauseChannel } from '../channel-pauses.ts';
import {
  giveBackLanes,
  handOverLanes,
  laneLeaseSeconds,
  lockLane,
  putLaneOff,
  restLanes,
  sweepLanesSoon,
  takeSlots,
  type Head,
  type LanesOf,
} from '../slots.ts';
import type { LaneRow } from '../work.ts';

/** The time for the database before the exchange, and again after it, in ms. */
export const bookkeepingMs = 2_000;

/** The pause before lanes are given back again that could not be, in ms. */
const giveBackAgainMs = 500;

/** The most lanes in a statement, and the statements of a kind under way. */
const batches = { most: 100, atOnce: 1 };

type Deps = {
  sender: string;
  transact: Transact;
  forBatches: Database;
  tellTopics: TellTopics;
  log: Logger;
};

/** Nothing was sent: the process stops, the lease is too short, or the lane could not be read. */
export class NotSent extends Error {}

const isRejected = (settled: PromiseSettledResult<unknown>): settled is PromiseRejectedResult =>
  settled.status === 'rejected';

type ToRecord = { row: LaneRow; message: SentMessage };

/** The statements of an outbox of lanes, each for all lanes that wait for it. A lane that somebody has locked holds up no other. */
export const createLaneStatements = ({ sender, transact, forBatches, tellTopics, log }: Deps) => {
  const takes = createGathering<LaneRow, { head: Head | 'empty' | undefined; askedMs: number }>({
    ...batches,
    many: async (rows) => {
      const askedMs = performance.now();
      const laneIds = rows.map(({ id }) => id);
      const taking = takeSlots(forBatches, { laneIds, sender });
      const heads = await withDeadline(bookkeepingMs, 'reading what to send', () => taking).catch((error: unknown) => {
        log.warn({ err: error, left: laneIds.length }, 'outbox.unread');
        void returnLate(laneIds, taking);
        throw new NotSent();
      });
      return ({ id }) => ({ head: heads.get(id), askedMs });
    },
  });

  /** Lanes of statements that were given up, and are not known to have ended. */
  const late = new Set<string>();

  /**
   * A statement that was given up may take its lanes all the same, after they were given back. They are given back again when it has ended, and not
   * taken before: the next attempt would find the mark of one that was never made.
   */
  const returnLate = async (laneIds: readonly string[], taking: Promise<unknown>): Promise<void> => {
    for (const id of laneIds) late.add(id);
    await Promise.race([Promise.allSettled([taking]), sleep(laneLeaseSeconds * 1_000, undefined, { ref: false })]);
    for (const id of laneIds) returned.add(id);
    await returned.drain();
    for (const id of laneIds) late.delete(id);
  };

  /** Waits for the transaction that is queueing in the lane. Answers whether an outbox may take it. */
  const waitForLane = ({ id }: LaneRow): Promise<boolean> =>
    withDeadline(bookkeepingMs, 'waiting for a lane', () => transact(({ sql }) => lockLane(sql, { id, sender })));

  const records = createGathering<ToRecord, Recorded | undefined>({
    ...batches,
    many: async (sent) => {
      const recorded = await withDeadline(bookkeepingMs, 'recording outcomes', () =>
        recordSent(forBatches, { sent: sent.map(({ message }) => message), sender }),
      );
      const talks = sent.flatMap(({ row: { id, accountId } }) => {
        const ended = recorded.get(id);
        return ended ? [{ accountId, conversationId: ended.conversationId, revision: ended.revision }] : [];
      });
      const accounts = talks.map(({ accountId }) => accountId);
      tellTopics(topicsOf(accounts, 'messages', 'conversations'), talks);
      return ({ row }) => {
        const ended = recorded.get(row.id);
        return ended && { type: 'ended', status: 'sent', more: ended.more, changed: ended.changed };
      };
    },
  });

  const handOvers = createGathering<LaneRow, boolean>({
    ...batches,
    many: async (rows) => {
      const laneIds = rows.map(({ id }) => id);
      const left = await withDeadline(bookkeepingMs, 'handing lanes over', () =>
        handOverLanes(forBatches, { laneIds, sender }),
      );
      return ({ id }) => left.has(id);
    },
  });

  type Mark = (sql: Sql, lanes: LanesOf) => Promise<void>;
  const marking = (
    what: string,
    statement: Mark,
    settle: (ids: readonly string[], failed: readonly string[]) => void,
  ) =>
    createBatches<string>({
      most: batches.most,
      work: async (laneIds) => {
        const leave = (ids: string[]) =>
          withDeadline(bookkeepingMs, what, () => statement(forBatches, { laneIds: ids, sender }));
        // Where one of them is locked, the others are left without it.
        const left = await Promise.allSettled([leave(laneIds)]);
        const failed = left.some(isRejected) ? await Promise.allSettled(laneIds.map((id) => leave([id]))) : [];
        const [first, ...more] = failed.filter(isRejected);
        if (first) log.warn({ err: first.reason, lanes: more.length + 1 }, 'outbox.not_marked');
        if (first && codeOf(first.reason) === 'CONNECTION_ENDED') return;
        settle(
          laneIds,
          laneIds.filter((_, nth) => failed[nth]?.status === 'rejected'),
        );
      },
    });
  /** Lanes that are on their way back, and are not taken before: the next attempt would find the mark of one that sent nothing. */
  const onTheirWay = new Set<string>();
  /** Tries until it succeeds, or the process ends. */
  const giving = (what: string, statement: Mark) => {
    const lanes = marking(what, statement, (ids, failed) => {
      for (const id of ids) if (!failed.includes(id)) onTheirWay.delete(id);
      if (failed.length === 0) return;
      const again = () => {
        for (const id of failed) lanes.add(id);
      };
      setTimeout(again, giveBackAgainMs).unref();
    });
    return {
      add: (id: string): void => {
        if (onTheirWay.has(id)) return;
        onTheirWay.add(id);
        lanes.add(id);
      },
      drain: lanes.drain,
    };
  };
  const returned = giving('giving lanes back', giveBackLanes);
  const rested = giving('having lanes rest', restLanes);
  const overdue = marking('leaving lanes to the sweep', sweepLanesSoon, () => {});

  return {
    leaseMs: laneLeaseSeconds * 1_000,
    /** Takes the lane, and begins the attempt at its oldest message. No head: somebody else has it, or it is gone. */
    take: async (row: LaneRow) => {
      for (;;) {
        if (late.has(row.id) || onTheirWay.has(row.id)) throw new NotSent();
        const taken = await takes.ask(row.accountId, row);
        if (taken.head !== undefined || !(await waitForLane(row))) return taken;
      }
    },
    /** Undefined for what is to be recorded alone: no success, or one whose lane was locked, or that the statement failed for. */
    recordSent: async (row: LaneRow, { seq }: Head, made: SlotRecord): Promise<Recorded | undefined> => {
      if (made.outcome !== 'sent') return undefined;
      const { messageId, number: attempts, statusCode, ref } = made;
      const message = { laneId: row.id, messageId, seq, attempts, statusCode, ref };
      return records.ask(row.accountId, { row, message }).catch(() => undefined);
    },
    /** Gives the lane up for the workflow that is about to be started. False where that cannot be told. */
    handOver: (row: LaneRow): Promise<boolean> => handOvers.ask(row.accountId, row).catch(() => false),
    giveBack: ({ id }: LaneRow) => returned.add(id),
    /** Gives the lane back, to be sent later. */
    putOff: ({ id: laneId }: LaneRow, inMs: number): Promise<void> =>
      withDeadline(bookkeepingMs, 'putting a lane off', () => putLaneOff(forBatches, { laneId, inMs, sender })).catch(
        () => returned.add(laneId),
      ),
    /** Has nothing be sent over the channel for so long. False where that cannot be told. */
    pause: (channelId: string, forMs: number): Promise<boolean> =>
      withDeadline(bookkeepingMs, 'pausing a channel', () => pauseChannel(forBatches, channelId, forMs)).then(
        () => true,
        () => false,
      ),
    /** Gives the lane back, to be sent after the pause of its channel. */
    rest: ({ id }: LaneRow) => rested.add(id),
    leaveToSweep: ({ id }: LaneRow) => overdue.add(id),
    drain: async () => {
      await Promise.all([returned.drain(), rested.drain(), overdue.drain()]);
    },
  };
};
