import { createHash } from 'node:crypto';
import type { OpenCredential } from '../../credentials/open.ts';
import type { FieldDefinition, Json } from '../../custom-fields/values.ts';
import type { BlockContext, ContactView } from '../../flows/blocks/block.ts';
import { parseDefinition, type Definition } from '../../flows/definition/definition.ts';
import { planOf, type Plan } from '../../flows/definition/plan.ts';
import type { FileWithLink } from '../../flows/templating/files.ts';
import { mediaNoun } from '../../media/schema.ts';
import { foldTag } from '../../tags/fold.ts';
import { showId } from '../../ids.ts';
import { createToken } from '../../platform/secrets/tokens.ts';
import type { PassNext } from '../engine/pass.ts';
import type { RunState, StepState } from '../engine/run-state.ts';
import type { RunSnapshot } from '../engine/snapshot.ts';
import { deepestCause } from '../life/insert-run.ts';
import type {
  SimulatedChange,
  SimulatedMessage,
  SimulatedRequest,
  Simulation,
  SimulationSubject,
  StartedFlow,
  TakenInput,
} from './simulation.ts';

/** A run in memory: what its row and its steps would be. */
export type SimulatedRun = {
  number: number;
  state: RunState;
  steps: Map<number, StepState>;
  context: BlockContext['run'];
  inputs: RunSnapshot['inputs'];
  /** How many events and flows have caused one another before it. */
  depth: number;
  /** What its workflow would do; undefined before its first pass. */
  next: PassNext | undefined;
  /** Orders what runs wait for by when that began: many waits begin at one time of the simulation's clock. */
  waitNumber: number;
  /** It is to have a pass. */
  isWoken: boolean;
};

/** Everything that a simulation changes: the contact, the clock, the runs and what they have done. */
export type World = {
  readonly given: Simulation;
  readonly definition: Definition;
  readonly plan: Plan;
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly credentials: ReadonlyMap<string, OpenCredential>;
  readonly tagNames: Map<string, string>;
  /** Those of the account, and those that the contact has sent in the simulation. */
  readonly files: Map<string, FileWithLink>;
  now: Date;
  /** Of messages and events, as the database's sequence. */
  seq: number;
  contact: ContactView;
  status: SimulationSubject['status'];
  foreground: string | null;
  /** The open handover, and the run that has requested it. */
  handover: { byRunId: string | null } | null;
  runs: SimulatedRun[];
  /** How many waits have begun. */
  waits: number;
  /** Each step of each run, in the order in which they began. */
  entered: { run: SimulatedRun; step: number; order: number }[];
  messages: SimulatedMessage[];
  changes: SimulatedChange[];
  requests: SimulatedRequest[];
  startedFlows: StartedFlow[];
  routed: TakenInput[];
  /** How many of all these were kept. */
  kept: number;
  /** How many visits of each block have asked for an answer, and how many real answers were used. */
  asked: Map<string, number>;
  usedAnswers: number;
  /** The size of what is kept as JSON, in bytes, and how many of each list are in it. */
  size: { bytes: number; counted: Map<readonly object[], number> };
};

/** The world before anything has happened. */
export const createWorld = (given: Simulation): World => {
  const definition = parseDefinition(given.definition);
  const plan = planOf(definition, given.blockVersions);
  return {
    given,
    definition,
    plan: { ...plan, start: given.start ?? plan.start },
    fields: new Map(given.fields.map((field) => [field.key, field])),
    // Nothing is sent with them: they only have to be found nowhere else.
    credentials: new Map(given.credentials.map((one) => [one.name, { ...one, secret: createToken('') }])),
    tagNames: new Map(given.tagNames.map((name) => [foldTag(name), name])),
    files: new Map(given.files.map((one) => [showId(mediaNoun, one.file.id), one])),
    now: new Date(given.now),
    seq: 0,
    contact: given.contact,
    status: given.status,
    foreground: null,
    handover: given.isHandedOver ? { byRunId: null } : null,
    runs: [],
    waits: 0,
    entered: [],
    messages: [],
    changes: [],
    requests: [],
    startedFlows: [],
    routed: [],
    kept: 0,
    asked: new Map(),
    usedAnswers: 0,
    size: { bytes: 0, counted: new Map() },
  };
};

/** A UUID that the same seed and name make again. */
export const seededUuid = (seed: string, name: string): string => {
  const hex = createHash('sha256').update(`${seed} ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

type NewRun = { params: Json; event: Json | null; depth: number };

/**
 * Begins a run of the flow, whose first pass is still to come. Undefined when the contact is in the flow and may be so only once. One too deep in a
 * chain of causes has failed.
 */
export const startRun = (world: World, { params, event, depth }: NewRun): SimulatedRun | undefined => {
  if (world.definition.reentry === 'one_active' && world.runs.some(isOpen)) return undefined;
  const number = world.runs.length + 1;
  const id = seededUuid(world.given.seed, `run ${number}`);
  world.seq += 1;
  const { seq } = world;
  const isTooDeep = depth > deepestCause;
  const run: SimulatedRun = {
    number,
    state: {
      id,
      rootRunId: id,
      status: isTooDeep ? 'failed' : 'running',
      waiting: null,
      step: 0,
      blockId: null,
      waitingSince: null,
      wakeAt: null,
      leftMs: null,
      lastSeq: seq,
      afterSeq: seq,
      eventSeq: seq,
      stepsSinceWait: 0,
      visits: {},
      reason: isTooDeep ? 'loop_guard' : null,
    },
    steps: new Map(),
    context: { id: showId('run', id), startedAt: world.now, params, reply: null, event },
    inputs: [],
    depth,
    next: undefined,
    waitNumber: 0,
    isWoken: !isTooDeep,
  };
  world.runs.push(run);
  return run;
};

/** The place of what happens next, among all that happens. */
export const nextOrder = (world: World): number => (world.kept += 1);

export const isOpen = ({ state: { status } }: SimulatedRun): boolean => status === 'running' || status === 'waiting';

/** What a pass over a run reads now. */
export const snapshotOf = (world: World, run: SimulatedRun): RunSnapshot => {
  const { given, plan, now, contact, handover, foreground } = world;
  const { state } = run;
  const step = run.steps.get(state.step);
  const { silentUntil, targets, flow, account } = given;
  return {
    run: state,
    step,
    plan,
    context: {
      v: state.blockId === null ? 1 : plan.get(state.blockId).v,
      now,
      account,
      contact,
      flow,
      run: run.context,
      step: {
        number: state.step,
        visit: step?.visit ?? 0,
        tries: step?.tries ?? 0,
        enteredAt: step?.enteredAt ?? now,
      },
      fields: world.fields,
      files: world.files,
    },
    inputs: run.inputs.filter((input) => isStill(state, input)),
    flowIsPaused: false,
    silence: silentUntil !== null && silentUntil > now.getTime() ? { until: new Date(silentUntil) } : null,
    handover: handover && { endsByClosing: true, endsByExpiring: handover.byRunId === state.id },
    unsendable: world.status === 'active' ? null : world.status,
    foreground,
    targets: new Map(Object.entries(targets)),
  };
};

/** As `readSnapshot` reads inputs. */
const isStill = ({ afterSeq, lastSeq, eventSeq }: RunState, input: RunSnapshot['inputs'][number]): boolean => {
  if (input.type === 'reply') return input.seq > Math.min(afterSeq, lastSeq);
  return input.type !== 'event' || input.seq > eventSeq;
};
