import { topicsOf, type TellTopics } from '../../facts/topics.ts';
import { createBatches } from '../../platform/batches.ts';
import type { Database } from '../../platform/db/connect.ts';
import { withDeadline } from '../../platform/deadline.ts';
import type { WorkRow } from '../../platform/dispatch/work.ts';
import type { Logger } from '../../platform/log.ts';

/** Writes that nobody waits for. */
export type RunMarks = {
  /** Marks a finished run whose workflow was started: no page leads to one before, which a crash could have kept from its start. */
  addWorkflow: (run: Pick<WorkRow, 'id' | 'accountId'>) => void;
  /** Resolves when nothing is under way. */
  drain: () => Promise<void>;
};

const atOnce = 500;
const deadlineMs = 2_000;

type MarkDeps = { forBatches: Database; tellTopics: TellTopics; log: Logger };

/** Of a run that a failed statement leaves unmarked, no page leads to its workflow. */
export const createRunMarks = ({ forBatches, tellTopics, log }: MarkDeps): RunMarks => {
  const started = createBatches<Pick<WorkRow, 'id' | 'accountId'>>({
    most: atOnce,
    work: async (batch) => {
      const ids = batch.map(({ id }) => id);
      try {
        const mark = async () => forBatches`update runs set without_workflow = false where id = any(${ids}::uuid[])`;
        await withDeadline(deadlineMs, 'marking runs with workflows', mark);
        const accounts = batch.map(({ accountId }) => accountId);
        tellTopics(topicsOf(accounts, 'runs'));
      } catch (error) {
        log.warn({ err: error, runs: ids.length }, 'dispatch.not_marked');
      }
    },
  });
  return { addWorkflow: started.add, drain: started.drain };
};
