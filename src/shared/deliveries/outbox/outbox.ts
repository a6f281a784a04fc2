import { showId } from '../../ids.ts';
import { askAs } from '../../platform/bulkhead/asker.ts';
import { createShares, NoSlot } from '../../platform/bulkhead/shares.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Pressure } from '../../platform/dispatch/pressure.ts';
import type { Reserved, SpareStarts } from '../../platform/dispatch/spare-starts.ts';
import type { EventTransact } from '../../facts/tell.ts';
import type { TellTopics } from '../../facts/topics.ts';
import { asItem, type Outbox as OutboxOf, type WorkItem } from '../../platform/dispatch/work.ts';
import { isOursFor, ownProcessId } from '../../platform/processes/own-process.ts';
import { firstAttempt, type RecordedAttemptOf } from '../attempts.ts';
import { makeAttempt, type AttemptMaker, type MadeAttempt } from '../make-attempt.ts';
import { parkDelivery } from '../park.ts';
import { deliveryWork, isFirstAttempt, type DeliveryWorkRow } from '../work.ts';
import { createReads, NotSent } from './read.ts';
import { createRecords } from './record.ts';
import { bookkeepingMs, createMarks, type Marks } from './statements.ts';

export type OutboxDeps = AttemptMaker & {
  db: Database;
  /** See `connectForBatches`. */
  forBatches: Database;
  transact: EventTransact;
  tellTopics: TellTopics;
  /** False when it started no workflow, or one of this id runs or has run. */
  startWorkflow: (item: WorkItem) => Promise<boolean>;
  spareStarts?: Pick<SpareStarts, 'reserve'> | undefined;
  pressure?: Pick<Pressure, 'note'> | undefined;
  /** The most attempts under way to one webhook. */
  perWebhook?: number | undefined;
};

/** Reads, sends and records first attempts in batches that grow with load, before their workflows start. */
export type Outbox = OutboxOf<DeliveryWorkRow> & {
  /** The deliveries that wait for a statement, few while this process and the database keep up. */
  behind: () => number;
  dropWorkflow: Marks['dropWorkflow'];
  /** Resolves when nothing is under way. */
  drain: () => Promise<void>;
  /** Gives back all deliveries that are not under way, for any process to send. */
  close: () => void;
};

/** The part of a lease that an attempt needs, for the POST and its record, so that no other process sends it as well. */
const attemptMs = 10_000 + bookkeepingMs;

/** The wait for a slot, in ms, which ends within the lease. */
const patienceMs = 40_000;

/** The most attempts under way; as many more of the sweep may wait for a webhook. */
const bounds = { total: 300, perWebhook: 64 };

type Sent = { row: DeliveryWorkRow; made: Extract<MadeAttempt, { type: 'made' }>; spare: Reserved | undefined };

/** A sent attempt is never sent again because it could not be recorded. After a failure `deliverEvent` makes attempt 2 at its exact time. */
export const createOutbox = (deps: OutboxDeps): Outbox => {
  const { db, forBatches, transact, startWorkflow, spareStarts, pressure, metrics, log } = deps;
  const perWebhook = deps.perWebhook ?? bounds.perWebhook;
  const slots = createShares({ total: bounds.total, perKey: perWebhook, patienceMs });
  const held = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let stopping = false;
  const note = (tookMs: number): void => pressure?.note(tookMs);
  const marks = createMarks(deps);
  const reads = createReads({ forBatches, note, log });
  const records = createRecords({
    db,
    forBatches,
    tellTopics: deps.tellTopics,
    startWorkflow,
    isStopping: () => stopping,
    note,
  });

  const keyOf = ({ id, round }: DeliveryWorkRow): string => `${id}/${round}`;

  /** Answers work that is left for after the slot. */
  const attempt = async (row: DeliveryWorkRow): Promise<(() => Promise<void>) | undefined> => {
    if (stopping) throw new NotSent();
    const { due, askedMs, readMs } = row.firstRead?.take() ?? (await reads.read(row.id));
    if (due?.round !== row.round || due.recorded) return undefined;
    if (!due.inProgress) marks.dropWorkflow(row);
    if (!due.inProgress || due.sender !== ownProcessId) return undefined;
    if (due.unmet !== null) return park(row);
    const untilMs = askedMs + (due.leaseMs ?? 0);
    const mayBegin = (): boolean => !stopping && performance.now() + attemptMs <= untilMs && isOursFor(attemptMs);
    const made = await makeAttempt(deps, { ...firstAttempt, round: row.round }, { ...due, readMs, mayBegin });
    if (made.type === 'busy') throw new NotSent();
    const spare = isFinal(row, made) ? spareStarts?.reserve(row.accountId) : undefined;
    const change = await records.record({ row, made, withoutWorkflow: isFinal(row, made) && !spare });
    return () => goOn({ row, made, spare }, change);
  };

  const park = async ({ id, round, accountId, webhookId, isTest }: DeliveryWorkRow): Promise<undefined> => {
    const parked = { deliveryId: id, round, webhookId, isTest };
    const how = { lockTimeoutMs: bookkeepingMs, withoutWorkflow: true };
    metrics.ended(await askAs({ accountId }, () => parkDelivery(transact, parked, how)), 'outbox');
  };

  /** Gives a delivery its workflow after the record. */
  const goOn = async ({ row, made, spare }: Sent, change: RecordedAttemptOf | undefined): Promise<void> => {
    if (change?.ended) metrics.ended(change, 'outbox');
    const { dueInMs } = change ?? {};
    const first = {
      ...outcomeOf(made),
      ...(typeof dueInMs === 'number' && { dueInMs }),
      recordedMs: performance.now(),
    };
    const item = asItem(deliveryWork, { ...row, attemptsMade: firstAttempt.number, first });
    if (change?.endedNow) return spare?.start(item);
    spare?.cancel(item);
    // The attempt was recorded before, with a lost answer, or the round is over, and the sweep does nothing.
    if (!change && !isFinal(row, made)) return marks.leaveToSweep(row);
    if (change?.goesOn && !(await startWorkflow(item))) marks.leaveToSweep(row);
  };

  const send = async (row: DeliveryWorkRow): Promise<void> => {
    const key = keyOf(row);
    if (held.has(key)) return;
    held.add(key);
    try {
      const attempting = slots.take(deliveryWork.lane(row), () => attempt(row), { behind: row.inBulk });
      row.firstRead?.forget();
      const next = await attempting;
      await next?.();
    } catch (error) {
      const isExpected = error instanceof NotSent || error instanceof NoSlot;
      // Errors come only before the POST.
      if (!isExpected) log.warn({ err: error, delivery_id: showId('delivery', row.id) }, 'outbox.failed');
      marks.giveBack(row);
    } finally {
      held.delete(key);
    }
  };

  return {
    work: deliveryWork,
    takes: isFirstAttempt,
    holds: (row) => held.has(keyOf(row)),
    mayHaveBeenSent: ({ mayHaveBeenSent = false }) => mayHaveBeenSent,
    hasRoom: (row) => slots.waiting(deliveryWork.lane(row)) < perWebhook,
    send: (row) => {
      const sending = send(row).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    giveBack: (rows) => {
      for (const row of rows) marks.giveBack(row);
    },
    behind: () => reads.waiting() + records.waiting(),
    dropWorkflow: marks.dropWorkflow,
    drain: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
      await Promise.all([reads.drain(), records.drain(), marks.drain()]);
    },
    close: () => {
      stopping = true;
      slots.close();
    },
  };
};

const outcomeOf = ({ attempt }: Sent['made']) => {
  const { outcome, reason, detail, statusCode, durationMs } = attempt;
  const why = { ...(reason && { reason }), ...(detail && { detail }) };
  return { outcome, durationMs, ...why, ...(statusCode !== undefined && { statusCode }) };
};

const isFinal = ({ isTest }: DeliveryWorkRow, { attempt }: Sent['made']): boolean =>
  isTest || attempt.outcome === 'succeeded';
