import type { Block, BlockConfig, BlockContext, Input, Move } from '../../../../src/shared/flows/blocks/block.ts';
import { interpret } from '../../../../src/shared/runs/engine/interpret.ts';
import type { Pass } from '../../../../src/shared/runs/engine/pass.ts';
import type { RunState } from '../../../../src/shared/runs/engine/run-state.ts';
import type { RunSnapshot } from '../../../../src/shared/runs/engine/snapshot.ts';

/** A kind of block for a test, which decides what the test says. */
export const aBlock = (decides: Partial<Block> & Pick<Block, 'enter'>): Block => ({
  type: 'toy',
  summary: 'a block of a test',
  schema: undefined as never,
  ports: () => [],
  ...decides,
});

/** Goes on at once. */
export const goOn = (move: Partial<Extract<Move, { type: 'go' }>> = {}): Block =>
  aBlock({ enter: () => ({ type: 'go', port: 'default', ...move }) });

/** Asks, and takes whatever is answered but "no", which is invalid; time is up after an hour. */
export const ask = ({ early = false }: { early?: boolean } = {}): Block =>
  aBlock({
    speaks: true,
    listens: true,
    enter: (_config, { now }) => ({
      type: 'wait',
      for: 'reply',
      until: new Date(now.getTime() + 3_600_000),
      ...(early && { early }),
      effects: [{ type: 'send', messages: [{ text: 'Which size?' }] }],
    }),
    resume: (_config, _context, input) => {
      if (input.type === 'due') return { type: 'go', port: 'timeout' };
      if (input.type !== 'reply') return undefined;
      if (input.text === 'no')
        return { type: 'wait', for: 'reply', tried: true, effects: [{ type: 'send', messages: [{ text: 'Again' }] }] };
      return { type: 'go', port: 'answered', effects: [{ type: 'set_reply', text: input.text }] };
    },
  });

/** Waits for a day, without the foreground. */
export const delay = (): Block =>
  aBlock({
    yields: true,
    enter: (_config, { now }) => ({ type: 'wait', for: 'delay', until: new Date(now.getTime() + 86_400_000) }),
    resume: (_config, _context, input) => (input.type === 'due' ? { type: 'go', port: 'default' } : undefined),
  });

/** Waits for an event whose data is "it". */
export const waitEvent = (): Block =>
  aBlock({
    yields: true,
    enter: () => ({ type: 'wait', for: 'event' }),
    resume: (_config, _context, input) =>
      input.type === 'event' && input.data === 'it' ? { type: 'go', port: 'received' } : undefined,
  });

/** Makes a request, and leaves by the port that comes of it. */
export const request = (): Block =>
  aBlock({
    enter: () => ({ type: 'request' }),
    resume: (_config, _context, input) =>
      input.type === 'request_ended'
        ? { type: 'go', port: input.port, effects: input.fields.map((field) => ({ type: 'set_field', ...field })) }
        : undefined,
  });

/** A flow of blocks one after the other, by their ids; `next` says where a port leads that does not go on to the next one. */
export const aPlan = (
  blocks: Readonly<Record<string, Block>>,
  next: Readonly<Record<string, string>> = {},
): RunSnapshot['plan'] => {
  const ids = Object.keys(blocks);
  return {
    start: ids[0] ?? '',
    get: (id) => ({ block: blocks[id] as Block, config: { id, type: 'toy' } satisfies BlockConfig, v: 1 }),
    targetOf: (id, port) => {
      const named = next[`${id}.${port}`];
      if (named === 'completes' || named === 'fails') return named;
      const following = named ?? ids[ids.indexOf(id) + 1];
      return following === undefined ? 'completes' : { block: following };
    },
  };
};

/** The database's clock of every snapshot that says no other. */
export const noon = new Date('2026-11-22T12:00:00Z');

const aRun = (run: Partial<RunState> = {}): RunState => ({
  id: 'run-1',
  rootRunId: 'run-1',
  status: 'running',
  waiting: null,
  step: 0,
  blockId: null,
  waitingSince: null,
  wakeAt: null,
  leftMs: null,
  lastSeq: 10,
  afterSeq: 10,
  eventSeq: 10,
  stepsSinceWait: 0,
  visits: {},
  reason: null,
  ...run,
});

const aContext = (now: Date): BlockContext => ({
  v: 1,
  now,
  account: { name: 'Shop', timeZone: 'UTC', defaultCountry: null },
  contact: {
    id: 'con_1',
    firstName: 'Ada',
    lastName: null,
    email: null,
    phone: null,
    language: null,
    timeZone: null,
    externalId: null,
    channel: 'api',
    fields: {},
    tags: [],
  },
  flow: { id: 'flow_1', name: 'Welcome' },
  run: { id: 'run_1', startedAt: noon, params: {}, reply: null, event: null },
  step: { number: 0, visit: 0, tries: 0, enteredAt: now },
  fields: new Map(),
});

export type SnapshotOptions = Partial<Omit<RunSnapshot, 'run' | 'context'>> & {
  plan: RunSnapshot['plan'];
  run?: Partial<RunState>;
  now?: Date;
};

/** What a pass reads of a run that has just begun, unless told otherwise. */
export const aSnapshot = ({ now = noon, run, ...snapshot }: SnapshotOptions): RunSnapshot => ({
  run: aRun(run),
  step: undefined,
  context: aContext(now),
  inputs: [],
  flowIsPaused: false,
  silence: null,
  handover: null,
  unsendable: null,
  foreground: null,
  targets: new Map(),
  ...snapshot,
});

export const aReply = (seq: number, text: string): Extract<Input, { type: 'reply' }> => ({ type: 'reply', seq, text });

type Changes = Partial<RunSnapshot> & { now?: Date; sentSeq?: number };

/** What the next pass reads when one has been written; the last message of that one has the number `sentSeq`. */
export const snapshotAfter = (
  { snapshot, run, step, context, foreground, handover }: Pass,
  { now = snapshot.context.now, sentSeq = 20, ...changes }: Changes = {},
): RunSnapshot => {
  const known = (seq: number): number => (seq === Infinity ? sentSeq : seq);
  const { budget: _budget, ...seen } = context;
  return {
    ...snapshot,
    due: undefined,
    inputs: [],
    run: { ...run, lastSeq: known(run.lastSeq), afterSeq: known(run.afterSeq) },
    step,
    context: { ...seen, now },
    foreground,
    handover,
    ...changes,
  };
};

/** The next pass over a run, which reads what the last one has written. */
export const passAgain = (last: Pass, changes?: Changes): Pass => interpret(snapshotAfter(last, changes));
