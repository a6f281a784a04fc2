import { topicsOf, type TellTopics } from '../../facts/topics.ts';
import { createBatches } from '../../platform/batches.ts';
import type { Database, Sql } from '../../platform/db/connect.ts';
import { withDeadline } from '../../platform/deadline.ts';
import type { Logger } from '../../platform/log.ts';
import type { RunWorkRow } from '../work.ts';

type Started = Pick<RunWorkRow, 'id' | 'accountId' | 'first'>;

/** Writes that nobody waits for. */
export type RunMarks = {
  /** Notes that the workflow of a run was started with what its first pass has come to. */
  start: (run: Started) => void;
  /** Resolves when nothing is under way. */
  drain: () => Promise<void>;
};

const atOnce = 500;
const deadlineMs = 2_000;

type MarkDeps = { forBatches: Database; tellTopics: TellTopics; log: Logger };

/** A run that a failed statement leaves unmarked leads to no workflow where it has ended, and is looked after by the sweep where it waits. */
export const createRunMarks = ({ forBatches, tellTopics, log }: MarkDeps): RunMarks => {
  const marking = (mark: (sql: Sql, ids: readonly string[]) => Promise<void>, onMarked: (batch: Started[]) => void) =>
    createBatches<Started>({
      most: atOnce,
      work: async (batch) => {
        try {
          const ids = batch.map(({ id }) => id);
          await withDeadline(deadlineMs, 'marking runs whose workflows were started', () => mark(forBatches, ids));
          onMarked(batch);
        } catch (error) {
          log.warn({ err: error, runs: batch.length }, 'dispatch.not_marked');
        }
      },
    });
  const ended = marking(linkToWorkflows, (batch) =>
    tellTopics(
      topicsOf(
        batch.map(({ accountId }) => accountId),
        'runs',
      ),
    ),
  );
  const waiting = marking(leaveToWorkflows, () => {});
  return {
    start: (run) => {
      if (run.first?.type === 'over') ended.add(run);
      if (run.first?.type === 'wait') waiting.add(run);
    },
    drain: async () => {
      await Promise.all([ended.drain(), waiting.drain()]);
    },
  };
};

/** No page leads to a workflow before, which a crash could have kept from its start. */
const linkToWorkflows = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`update runs set without_workflow = false where id = any(${[...ids]}::uuid[])`;
};

/** Somebody waits for the time of these runs, so the sweep looks after them only later. Of one that was woken meanwhile the workflow hears first. */
const leaveToWorkflows = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`
    update runs set sweep_at = coalesce(wake_at + interval '30 seconds', 'infinity')
    where id = any(array(select id from runs where id = any(${[...ids]}::uuid[]) order by id for no key update skip locked))
      and waiting in ('reply', 'event') and not woken`;
};
