import { setTimeout as sleep } from 'node:timers/promises';
import { showId } from '../../../ids.ts';
import type { EventTransact } from '../../../facts/tell.ts';
import { askAs } from '../../../platform/bulkhead/asker.ts';
import { createShares, NoSlot } from '../../../platform/bulkhead/shares.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { withDeadline } from '../../../platform/deadline.ts';
import { asItem, type Outbox, type WorkItem } from '../../../platform/dispatch/work.ts';
import { isOursFor, ownProcessId } from '../../../platform/processes/own-process.ts';
import { makeAttempt, type AttemptMaker, type MadeSlot } from '../make-attempt.ts';
import { closeLane, recordSlot, type Recorded } from '../record-slot.ts';
import type { Head } from '../slots.ts';
import { laneWork, type LaneRow } from '../work.ts';
import { bookkeepingMs, createLaneStatements, NotSent } from './statements.ts';

export type LaneOutboxDeps = AttemptMaker & {
  transact: EventTransact;
  /** See `connectForBatches`. */
  forBatches: Database;
  tellTopics: Parameters<typeof createLaneStatements>[0]['tellTopics'];
  /** False when it started no workflow, or one of this id runs or has run. */
  startWorkflow: (item: WorkItem) => Promise<boolean>;
  /** Whether processes of the version before are gone for good; see `readSettlingMs`. */
  settled: () => boolean;
  /** The process in the rows that it sends; its own when not given. */
  processId?: string | undefined;
  /** The most attempts under way over one channel. */
  perChannel?: number | undefined;
};

/** Sends the messages of lanes in their order, until an attempt fails: the lane is its workflow's from then on. */
export type LaneOutbox = Outbox<LaneRow> & {
  /** Resolves when nothing is under way. */
  drain: () => Promise<void>;
  /** Gives back all lanes, each after the attempt that is under way, for any process to send. */
  close: () => void;
};

/** The part of a lease that an attempt needs, for the exchange and its record, so that no other process sends the message as well. */
const attemptMs = 10_000 + bookkeepingMs;

/** The wait for a slot after which a lane goes to its workflow, in ms. */
const patienceMs = 10_000;

/** The most attempts under way; as many more of the sweep may wait for a channel. */
const bounds = { total: 160, perChannel: 24 };

/** The pause after an outcome that could not be recorded, in ms. */
const recordAgainMs = 500;

/**
 * `over`: nothing is queued, or somebody else has the lane. `workflow`: the lane is its workflow's. `handOver`: it is to be, and waits so long. `rest`:
 * its channel pauses.
 */
type Next = { type: 'more' | 'over' | 'workflow' | 'rest' } | { type: 'handOver'; inMs: number };

/** A message that was sent is never sent again because that could not be recorded while this process lives. */
export const createLaneOutbox = (deps: LaneOutboxDeps): LaneOutbox => {
  const {
    processId: sender = ownProcessId,
    transact,
    startWorkflow,
    settled,
    metrics,
    log,
    perChannel = bounds.perChannel,
  } = deps;
  const slots = createShares({ total: bounds.total, perKey: perChannel, patienceMs });
  const held = new Set<string>();
  const statements = createLaneStatements({ ...deps, sender });
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  const attempt = async (row: LaneRow): Promise<Next> => {
    if (stopping) throw new NotSent();
    const { head, askedMs } = await statements.take(row);
    if (head === undefined) return { type: 'over' };
    if (head === 'empty') return { type: (await closeLane(transact, { sendingId: row.id })) ? 'over' : 'more' };
    const { at } = head;
    // Its message ended while the statement waited, or it waits for its next attempt.
    if (at === null && head.pausedForMs > 0) return { type: 'rest' };
    if (at === null) return head.dueInMs > 0 ? { type: 'handOver', inMs: head.dueInMs } : { type: 'more' };
    const untilMs = askedMs + statements.leaseMs;
    const mayBegin = (): boolean => !stopping && performance.now() + attemptMs <= untilMs && isOursFor(attemptMs);
    const made = await makeAttempt(deps, { ...head, at }, mayBegin);
    if (made.type !== 'later') return record(row, { head, made });
    if (made.retryAfterMs === undefined) throw new NotSent();
    if (made.pausesChannel && (await statements.pause(head.channel.id, made.retryAfterMs))) return { type: 'rest' };
    return { type: 'handOver', inMs: made.retryAfterMs };
  };

  /** Tries until it is recorded, or until a workflow has it to record. */
  const record = async (row: LaneRow, { head, made }: { head: Head; made: Recordable }): Promise<Next> => {
    let recorded = await statements.recordSent(row, head, made.record);
    for (;;) {
      try {
        recorded ??= await recordAlone(made);
        if (recorded.type === 'part') return { type: 'more' };
        if (recorded.type === 'wait') return { type: 'workflow' };
        if (recorded.changed) metrics.messageEnded(recorded.status, 'outbox');
        return { type: recorded.more ? 'more' : 'over' };
      } catch (error) {
        const message_id = showId('message', head.message.id);
        log.error({ err: error, message_id }, 'message.attempted_unrecorded');
        const unrecorded = made.type === 'attempted' ? { ...made.record, messageId: message_id } : undefined;
        const toRecord = unrecorded && asItem(laneWork, { ...row, from: sender, unrecorded });
        if ((toRecord && (await startWorkflow(toRecord))) || stopping) return { type: 'over' };
        await sleep(recordAgainMs);
      }
    }
  };

  const recordAlone = ({ record: made }: Recordable): Promise<Recorded> =>
    withDeadline(bookkeepingMs, 'recording the outcome', () => recordSlot(deps, made, { sender }));

  /** Starts the workflow that has the lane, or leaves that to the sweep. */
  const startIts = async (row: LaneRow): Promise<void> => {
    if (!(await startWorkflow(asItem(laneWork, row)))) statements.leaveToSweep(row);
  };

  /**
   * The lane is nobody's before its workflow begins: this process may take it again until the workflow comes, and then has it alone. Where
   * it cannot be started, any process goes on, later each time.
   */
  const handOver = async (row: LaneRow, inMs: number): Promise<void> => {
    if (!(await statements.handOver(row))) statements.giveBack(row);
    else if (!(await startWorkflow(asItem(laneWork, row)))) await statements.putOff(row, inMs);
  };

  const send = async (row: LaneRow): Promise<void> => {
    if (held.has(row.id)) return;
    held.add(row.id);
    try {
      let next: Next = { type: 'more' };
      while (next.type === 'more') next = await slots.take(laneWork.lane(row), () => attempt(row));
      if (next.type === 'workflow') await startIts(row);
      if (next.type === 'rest') statements.rest(row);
      if (next.type === 'handOver') await handOver(row, next.inMs);
    } catch (error) {
      // Errors come only before the exchange.
      if (error instanceof NoSlot && !stopping) return await handOver(row, 0);
      if (!(error instanceof NotSent || error instanceof NoSlot)) {
        log.warn({ err: error, sending_id: showId('sending', row.id) }, 'outbox.failed');
      }
      statements.giveBack(row);
    } finally {
      held.delete(row.id);
    }
  };

  return {
    work: laneWork,
    takes: ({ ofOutbox = false }) => ofOutbox && settled(),
    holds: ({ id }) => held.has(id),
    mayHaveBeenSent: ({ mayHaveBeenSent = false }) => mayHaveBeenSent,
    hasRoom: (row) => slots.waiting(laneWork.lane(row)) < perChannel,
    send: (row) => {
      const sending = askAs({ accountId: row.accountId }, () => send(row)).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    giveBack: (rows) => {
      for (const row of rows) statements.giveBack(row);
    },
    drain: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
      await statements.drain();
    },
    close: () => {
      stopping = true;
      slots.close();
    },
  };
};

type Recordable = Exclude<MadeSlot, { type: 'later' }>;
