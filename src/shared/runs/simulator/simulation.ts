import type { FieldDefinition, Json } from '../../custom-fields/values.ts';
import type { OpenCredential } from '../../credentials/open.ts';
import type { Port } from '../../external-requests/after-attempt.ts';
import type { MappedField } from '../../external-requests/map-response.ts';
import type { RenderedRequest } from '../../external-requests/render-request.ts';
import type { ShownAttempt } from '../../external-requests/show-attempt.ts';
import type { ContactView, OutboundMessage } from '../../flows/blocks/block.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import type { BlockVersions } from '../../flows/definition/plan.ts';
import type { triggersOfMessages } from '../../flows/definition/triggers.ts';
import type { FileWithLink } from '../../flows/templating/files.ts';
import type { MediaType } from '../../media/limits.ts';
import type { EventName } from '../../facts/names.ts';
import type { RunStatus, StepState, Waiting } from '../engine/run-state.ts';
import type { RoutedTo } from '../triggers/route-message.ts';

/** The most that a simulation takes and does. `realRequests` bounds those that are really sent, `bytes` what is kept of messages, requests and started flows. */
export const simulationLimits = { inputs: 200, steps: 2_000, realRequests: 20, bytes: 2_000_000 } as const;

/** Why a mock has no request arrive. */
export const mockFailures = ['dns', 'connect', 'tls', 'reset'] as const;

/** What another service answers in a simulation. */
export type MockAnswer =
  | { status: number; headers?: Readonly<Record<string, string>> | undefined; body?: Json | undefined }
  | { timeout: true }
  | { fails: (typeof mockFailures)[number] };

/** One answer for all visits of a block, or one for each, with `for_each` for each item; within it, one for all attempts or one for each. */
export type Mock = MockAnswer | readonly (MockAnswer | readonly MockAnswer[])[];

/** What a contact sends with a message: a file of which nothing but its type and name is known, one that the account has, or a location. */
export type SimulatedAttachment =
  | { type: MediaType; name: string }
  | { media_id: string }
  | { type: 'location'; latitude: number; longitude: number };

/** What comes for the contact, in order. `ms`: time that passes. */
export type SimulatedInput =
  | { type: 'text'; text: string; attachments?: readonly SimulatedAttachment[] | undefined }
  | { type: 'after'; ms: number }
  | { type: 'event'; name: EventName; data: { [key: string]: Json } }
  | { type: 'child_ended'; status: 'completed' | 'failed' | 'cancelled' }
  | { type: 'handover_ended'; status: 'resolved' | 'expired' };

/** A flow and a contact as a simulation begins. All of it is JSON, so that a thread can be given it. Times are in ms since the epoch. */
export type SimulationSubject = {
  definition: unknown;
  /** The newest meanings where it is not given. */
  blockVersions?: BlockVersions | undefined;
  flow: { id: string; name: string };
  account: { name: string; timeZone: string; defaultCountry: string | null };
  contact: ContactView;
  status: 'active' | 'unsubscribed' | 'blocked';
  silentUntil: number | null;
  isHandedOver: boolean;
  /** By which the account's contacts ask for an agent; null where it has none. */
  handoverWords: readonly string[] | null;
  fields: readonly FieldDefinition[];
  /** The account's tags as they are written, as far as they are known. */
  tagNames: readonly string[];
  /** Why each flow that a start_flow block names cannot be started; null when it can. */
  targets: Readonly<Record<string, string | null>>;
  credentials: readonly Omit<OpenCredential, 'secret'>[];
  /** The account's files that its values, or those of the simulation, name by their ids. */
  files: readonly FileWithLink[];
  /** Where links to files lead to. */
  baseUrl: string;
};

/**
 * What other services have really answered so far, `over`: why nobody is to be asked any more, and `key`: what all real requests of this simulation
 * alone have in their Idempotency-Key. After `most` requests the next one is as without `real`.
 */
type RealSoFar = { answers: readonly RealAnswer[]; over?: string | undefined; key: string; most?: number | undefined };

/** What is to be simulated. `real` is null where nobody is to be asked. */
export type Simulation = SimulationSubject & {
  now: number;
  /** The same one makes the same ids, by which `split` chooses. */
  seed: string;
  /** The block to begin at; the flow's start when it is null. */
  start: string | null;
  params: Json;
  inputs: readonly SimulatedInput[];
  mocks: Readonly<Record<string, Mock>>;
  real: RealSoFar | null;
};

/** What another service has really answered, mapped, and as it may be shown. */
export type RealAnswer = {
  port: Port;
  reason?: string | undefined;
  fields: readonly MappedField[];
  shown: ShownAttempt;
};

/** A request that is to be sent before the simulation can go on, and where in it that is; `sentAt` is in ms since the epoch. */
export type RealRequest = {
  run: number;
  visit: number;
  /** The item of a list, counted from 0. */
  itemIndex: number | null;
  sentAt: number;
  config: ExternalRequest;
  rendered: RenderedRequest;
  timeZone: string | undefined;
  v: number;
};

/** Where something stands among all that happens in a simulation: what happened before has a lower number. */
type Placed = { order: number };

/** What became of an input. `run`: the number of the run that has it, from 1 on. */
export type Routed = {
  to: RoutedTo['to'] | 'clock' | 'runs';
  run: number | null;
  by: (typeof triggersOfMessages)[number] | EventName | null;
  because: string | null;
};

/** An input that was taken; `at` is the simulation's time then. */
export type TakenInput = Routed & Placed & { at: Date };

type SimulatedStep = StepState & Placed & { run: number };

export type SimulatedMessage = OutboundMessage & Placed & { run: number; blockId: string; sentAt: Date };

/** What a block has set: a field, null where it cleared it; a tag, false where it removed it; or the text of the latest answer. */
export type BlockChange =
  | { type: 'field'; name: string; value: Json }
  | { type: 'tag'; name: string; value: boolean }
  | { type: 'reply'; name: 'reply.text'; value: string };

export type SimulatedChange = BlockChange & Placed & { run: number; blockId: string };

export type SimulatedRequest = ShownAttempt &
  Placed & {
    run: number;
    blockId: string;
    visit: number;
    /** The item of a list, counted from 0. */
    itemIndex: number | null;
    attempt: number;
    isMocked: boolean;
    sentAt: Date;
    port: Port | null;
  };

/** A flow that the run has started; it is not walked. */
export type StartedFlow = Placed & {
  run: number;
  blockId: string;
  flowId: string;
  mode: 'child' | 'switch';
  params: Json;
};

/**
 * What a simulation came to: where its latest open run is, else its last run, and all that was done. `mock`: a request has no answer. `limit`: the
 * simulation was ended, `reason` says by which bound.
 */
export type Simulated = {
  status: RunStatus;
  waiting: Waiting | 'mock' | 'limit' | null;
  reason: string | null;
  blockId: string | null;
  wakeAt: Date | null;
  now: Date;
  steps: SimulatedStep[];
  messages: SimulatedMessage[];
  changes: SimulatedChange[];
  contact: ContactView;
  requests: SimulatedRequest[];
  startedFlows: StartedFlow[];
  routed: TakenInput[];
};
