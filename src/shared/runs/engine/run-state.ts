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
  /** Its last message to the contact, by `messages.seq`; Infinity for one that this pass sends. */
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
