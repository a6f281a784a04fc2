import type { BlockContext, Input } from '../../flows/blocks/block.ts';
import type { Plan } from '../../flows/definition/plan.ts';
import type { RunState, StepState } from './run-state.ts';

/** An open handover, and which effects of the run end it. */
export type OpenHandover = { endsByClosing: boolean; endsByExpiring: boolean };

/**
 * Everything that a pass over a run reads. The engine makes it of rows, under the lock of the contact, by the database's clock; the simulator in
 * memory.
 */
export type RunSnapshot = {
  run: RunState;
  /** The present step; undefined before the first. */
  step: StepState | undefined;
  plan: Omit<Plan, 'listens'>;
  context: BlockContext;
  /** What came for the run and no step has taken, in the order of `seq`. */
  inputs: readonly Exclude<Input, { type: 'due' }>[];
  /** The step whose timer has fired in the workflow. */
  due?: number | undefined;
  flowIsPaused: boolean;
  /** Set while the account has paused automation for the contact. */
  silence: { until: Date } | null;
  /** The open handover of the contact, which silences automation as well. */
  handover: OpenHandover | null;
  /** Why nothing can be sent to the contact; null when it can. */
  unsendable: 'no_channel' | 'blocked' | 'unsubscribed' | null;
  /** The first run of the family that holds the foreground of the contact; null when it is free. */
  foreground: string | null;
  /** Why each flow that a start_flow block names cannot be started; null when it can. Keys are TypeIDs. */
  targets: ReadonlyMap<string, string | null>;
};
