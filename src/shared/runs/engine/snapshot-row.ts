import type { FieldDefinition, Json } from '../../custom-fields/values.ts';
import type { EventName } from '../../facts/names.ts';
import type { Cause } from '../../facts/domain-event.ts';
import type { BlockContext, ContactView, Input } from '../../flows/blocks/block.ts';
import type { Reply, ReplyAttachment } from '../../flows/blocks/context.ts';
import { showId } from '../../ids.ts';
import { unreachable } from '../../unreachable.ts';
import type { RunState, StepState } from './run-state.ts';
import type { RunSnapshot } from './snapshot.ts';
import type { FlowVersion } from './versions.ts';

/** Of the run as its row has it, what only the writers need. */
type RunRow = {
  accountId: string;
  contactId: string;
  flowId: string;
  version: number;
  parentRunId: string | null;
  /** The first run of its chain of causes; itself where nothing but a request or a contact has caused it. */
  originRunId: string;
  channelId: string | null;
  depth: number;
};

/** A snapshot that was read under the lock of its contact, and what only the writers need of its rows. */
export type ReadSnapshot = RunSnapshot & { row: RunRow } & Pick<FlowVersion, 'requestOf'>;

/** What a run causes is one deeper than the run itself. */
export const causeOf = ({ row, run }: ReadSnapshot): Cause => ({
  depth: row.depth + 1,
  rootRunId: run.rootRunId,
  originRunId: row.originRunId,
});

/** One row with all that a pass reads. */
export type SnapshotRow = RunState &
  RunRow &
  Prefixed<Omit<StepState, 'blockId'>> &
  Omit<ContactView, 'id' | 'fields'> & {
    customFields: ContactView['fields'];
    contactStatus: 'active' | 'unsubscribed' | 'blocked';
    foregroundRunId: string | null;
    silentUntil: Date | null;
    isHandedOver: boolean;
    handoverRunId: string | null;
    handoverIsHere: boolean;
    params: Json;
    event: Json;
    reply: Reply | null;
    startedAt: Date;
    now: Date;
    accountName: string;
    accountTimeZone: string;
    accountDefaultCountry: string | null;
    flowName: string;
    flowStatus: string;
    fields: FieldDefinition[];
    inputs: InputRow[];
  };

type Prefixed<Of> = { [Name in keyof Of & string as `step${Capitalize<Name>}`]: Of[Name] | null };

type InputRow = { seq: number; at: number } & (
  | { kind: 'reply'; data: { text: string; attachments?: readonly ReplyAttachment[] } }
  | { kind: 'event'; data: { name: EventName; data: Json } }
  | { kind: 'child_ended'; data: { status: 'completed' | 'failed' | 'cancelled' } }
  | { kind: 'resolved'; data: { status: 'resolved' | 'expired' } }
);

/** The snapshot that the row makes. */
export const snapshotOf = (row: SnapshotRow, version: FlowVersion, targets: RunSnapshot['targets']): ReadSnapshot => ({
  run: {
    id: row.id,
    rootRunId: row.rootRunId,
    status: row.status,
    waiting: row.waiting,
    step: row.step,
    blockId: row.blockId,
    waitingSince: row.waitingSince,
    wakeAt: row.wakeAt,
    leftMs: row.leftMs,
    lastSeq: row.lastSeq,
    afterSeq: row.afterSeq,
    eventSeq: row.eventSeq,
    stepsSinceWait: row.stepsSinceWait,
    visits: row.visits,
    reason: row.reason,
  },
  step: stepOf(row),
  plan: version.plan,
  context: contextOf(row, version),
  inputs: row.inputs.map(inputOf),
  flowIsPaused: row.flowStatus === 'paused',
  silence: row.silentUntil && { until: row.silentUntil },
  handover: row.isHandedOver
    ? { endsByClosing: row.handoverIsHere, endsByExpiring: row.handoverRunId === row.id }
    : null,
  unsendable: row.contactStatus === 'active' ? (row.channelId === null ? 'no_channel' : null) : row.contactStatus,
  foreground: row.foregroundRunId,
  targets,
  requestOf: version.requestOf,
  row: {
    accountId: row.accountId,
    contactId: row.contactId,
    flowId: row.flowId,
    version: row.version,
    parentRunId: row.parentRunId,
    originRunId: row.originRunId,
    channelId: row.channelId,
    depth: row.depth,
  },
});

const stepOf = (row: SnapshotRow): StepState | undefined => {
  const { stepNumber, stepVisit, stepStatus, stepTries, stepEnteredAt } = row;
  if (stepNumber === null || stepVisit === null || stepStatus === null || stepTries === null || stepEnteredAt === null)
    return undefined;
  return {
    number: stepNumber,
    blockId: row.blockId ?? '',
    visit: stepVisit,
    status: stepStatus,
    port: row.stepPort,
    reason: row.stepReason,
    tries: stepTries,
    enteredAt: stepEnteredAt,
    leftAt: row.stepLeftAt,
  };
};

const contextOf = (row: SnapshotRow, { plan }: FlowVersion): BlockContext => ({
  v: row.blockId === null ? 1 : plan.get(row.blockId).v,
  now: row.now,
  account: { name: row.accountName, timeZone: row.accountTimeZone, defaultCountry: row.accountDefaultCountry },
  contact: {
    id: showId('contact', row.contactId),
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    phone: row.phone,
    language: row.language,
    timeZone: row.timeZone,
    externalId: row.externalId,
    channel: row.channel,
    fields: row.customFields,
    tags: row.tags,
  },
  flow: { id: showId('flow', row.flowId), name: row.flowName },
  run: {
    id: showId('run', row.id),
    startedAt: row.startedAt,
    params: row.params,
    reply: row.reply,
    event: row.event,
  },
  step: {
    number: row.step,
    visit: row.stepVisit ?? 0,
    tries: row.stepTries ?? 0,
    enteredAt: row.stepEnteredAt ?? row.now,
  },
  fields: new Map(row.fields.map((field) => [field.key, field])),
});

const inputOf = (row: InputRow): Exclude<Input, { type: 'due' | 'request_ended' }> => {
  const { seq } = row;
  switch (row.kind) {
    case 'reply':
      return { type: 'reply', seq, ...row.data };
    case 'event':
      return { type: 'event', seq, name: row.data.name, data: row.data.data, at: new Date(row.at) };
    case 'child_ended':
      return { type: 'child_ended', seq, status: row.data.status };
    case 'resolved':
      return { type: 'handover_ended', seq, status: row.data.status };
    default:
      return unreachable(row);
  }
};
