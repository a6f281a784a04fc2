import type { Effect, Input, BlockContext } from '../../flows/blocks/block.ts';
import type { Plan } from '../../flows/definition/plan.ts';

export const runStatuses = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** What a run waits for. `foreground`, `silence` and `paused` hold it up; the others are its block's own. */
export const waits = [
  'reply',
  'delay',
  'event',
  'child',
  'handover',
  'foreground',
  'silence',
  'paused',
  'call',
] as const;
export type Waiting = (typeof waits)[number];

/** Where a run is: the program counter, as its row keeps it; ids are UUIDs. */
export type RunState = {
  id: string;
  rootRunId: string;
  status: RunStatus;
  waiting: Waiting | null;
  /** The number of its step; 0 before the first. */
  step: number;
  blockId: string | null;
  waitingSince: Date | null;
  wakeAt: Date | null;
  /** What was left of a wait when it was suspended, in ms. */
  leftMs: number | null;
  /** Its last message to the contact, by `messages.seq`; Infinity for one that this look sends. */
  lastSeq: number;
  /** An answer counts when its message came after this one. */
  afterSeq: number;
  /** The last event that it took. */
  eventSeq: number;
  stepsSinceWait: number;
  /** How often each block was entered. */
  visits: Readonly<Record<string, number>>;
  reason: string | null;
};

/** One visit of a block. It is `pending` until what the block needs is there. */
export type StepState = {
  number: number;
  blockId: string;
  visit: number;
  status: 'pending' | 'open' | 'done';
  /** The port that it was left by. */
  port: string | null;
  reason: string | null;
  /** Invalid answers so far. */
  tries: number;
  enteredAt: Date;
  leftAt: Date | null;
};

/** Something that came for the run and that no step has taken, in the order of `seq`. */
export type Arrived = { seq: number; input: Exclude<Input, { type: 'due' }> };

/** An open handover, and which effects of the run end it. */
type OpenHandover = { endsByClosing: boolean; endsByExpiring: boolean };

/** Everything that a look at a run reads. Times are of the database's clock. */
export type Scene = {
  run: RunState;
  /** The present step; undefined before the first. */
  step: StepState | undefined;
  plan: Omit<Plan, 'listens'>;
  context: BlockContext;
  arrived: readonly Arrived[];
  /** The step whose timer has fired in the workflow. */
  due: number | undefined;
  flowIsPaused: boolean;
  /** Set while the account has paused automation for the contact. */
  silence: { until: Date } | null;
  /** The open handover of the contact, for which automation is silent as well. */
  handover: OpenHandover | null;
  /** Why nothing can be sent to the contact; null when it can. */
  unsendable: 'no_channel' | 'blocked' | 'unsubscribed' | null;
  /** The first run of the family that holds the foreground of the contact; null when it is free. */
  foreground: string | null;
  /** Of the flows that start_flow blocks name: why one cannot be started; null when it can. */
  targets: ReadonlyMap<string, string | null>;
};

/** What a look answers. `reason` is one of the engine's own words, or a block and its port; `blockId` is where a run has failed. */
export type Answer =
  | { type: 'more' }
  | { type: 'wait'; step: number; blockId: string; waiting: Waiting; dueInMs?: number }
  | { type: 'call'; step: number; blockId: string }
  | { type: 'over'; status: RunStatus; reason?: string; blockId?: string };

/** What the workflow does next. Ids of blocks, numbers and enums only: it stands in Temporal's history. */
export type Next =
  | Exclude<Answer, { type: 'call' | 'wait' }>
  /** `dueAt`: which wait its timer is for, in ms since the epoch by the database's clock. */
  | (Extract<Answer, { type: 'wait' }> & { dueAt?: number })
  /** `lane`: whose share of the calls under way it takes, as a fairness key. */
  | (Extract<Answer, { type: 'call' }> & { timeoutMs: number; lane: string });

/** The timer that has fired in the workflow: of which step, and of which wait of it. */
export type Due = { step: number; at: number };

/** What a step does. `position` is that of the first message of a send among those of its step. */
export type StepEffect = { step: number; position: number; effect: Effect };

/** What a look has decided. `advance` writes all of it in one transaction. */
export type Outcome = {
  run: RunState;
  /** The steps that are new or have changed. */
  steps: readonly StepState[];
  reply: BlockContext['run']['reply'];
  event: BlockContext['run']['event'];
  /** In order. */
  effects: readonly StepEffect[];
  /** What was taken, and by which step. */
  taken: readonly { seq: number; step: number }[];
  foreground: string | null;
  next: Answer;
};
