import type { RunStatus } from './engine/snapshot.ts';

/** What the workflow of a run knows: ids as they are shown outside. */
export type RunFlow = {
  runId: string;
  /** The workflows of this run before this one: the fence of its activities. */
  resumes: number;
  /** Whose share its looks take, and in which line they stand; runs that began before 0.3.0 do not know. */
  accountId?: string;
  contactId?: string;
};

/** How a run ended, and why it did if it did not complete. */
export type RunEnd = { status: RunStatus; reason?: string };

/** The workflow that carries a run. */
export type RunFlowWorkflow = (run: RunFlow) => Promise<RunEnd>;

/**
 * One try of a third-party call: the status that was answered, or why none was, or what holds the try up; and the port that the step has taken.
 * `retryInMs` when there is to be another try, or somebody else may be at it.
 */
export type CallResult = { status?: number; reason?: string; port?: string; retryInMs?: number };
