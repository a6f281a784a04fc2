import type { RunStatus } from './scene.ts';

/** What the workflow of a run knows: ids as they are shown outside. */
export type RunFlow = {
  runId: string;
  /** The workflows of this run before this one: the fence of its activities. */
  resumes: number;
};

/** The workflow that carries a run. Answers how the run ended. */
export type RunFlowWorkflow = (run: RunFlow) => Promise<RunStatus>;

/** One try of a third-party call. `retryInMs` when there is to be another, or somebody else may be at it. */
export type CallResult = { retryInMs?: number };
