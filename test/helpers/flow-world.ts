import { expect } from 'vitest';
import { insertChannel } from '../../src/shared/messages/channels/queries.ts';
import type { RoutedTo } from '../../src/shared/runs/triggers/route-message.ts';
import { createInboundStatements, type InboundStatements } from '../../src/shared/messages/inbound/share-statements.ts';
import { receiveInTransaction } from '../../src/shared/messages/inbound/receive-in-transaction.ts';
import type { Json } from '../../src/shared/custom-fields/values.ts';
import type { GivenAttachment } from '../../src/shared/media/attachments.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { enrollContact } from '../../src/shared/runs/life/enroll.ts';
import { findRun } from '../../src/shared/runs/queries.ts';
import type { Next } from '../../src/shared/runs/types.ts';
import type { RunDetailRow } from '../../src/shared/runs/schema.ts';
import { startDeliveryWorld, type DeliveryWorld, type DeliveryWorldOptions } from './delivery-world.ts';
import { aFlow, type FlowBlocks } from './live-flows.ts';

/** Flows, contacts and what they say, on a database of the test's own. */
export type FlowWorld = DeliveryWorld & {
  channelId: string;
  /** On the connections of everything else: without the limits of the shared ones. */
  inbound: InboundStatements;
  /** A contact says something over the channel; the first time it is made. */
  says: (
    sender: string,
    text: string,
    attachments?: GivenAttachment[],
  ) => Promise<{ contactId: string; messageId: string; routedTo: RoutedTo | null }>;
  /** Enrols a contact; answers the run's UUID. */
  enrol: (contactId: string, flowId: string, params?: { [key: string]: Json }) => Promise<string>;
  /** A contact of its own, enrolled in a live flow of these blocks. */
  enrolled: (blocks: FlowBlocks) => Promise<{ sender: string; contactId: string; runId: string }>;
  run: (runId: string) => Promise<RunDetailRow>;
  /** Makes passes over a run as its workflow would, until it waits or has ended. */
  advance: (runId: string, due?: number) => Promise<Exclude<Next, { type: 'more' }>>;
  /** The run that this one has started by a start_flow block; a UUID. */
  childOf: (runId: string) => Promise<string>;
  /** What was sent to a contact, in order. */
  sentTo: (contactId: string) => Promise<string[]>;
};

/** Adds what flows need to a world of deliveries. */
export const withFlows = async (world: DeliveryWorld): Promise<FlowWorld> => {
  const { db, accountId, transact, activities } = world;
  const { id: channelId } = await insertChannel(db, accountId, { type: 'api', name: 'Shop' });
  const says: FlowWorld['says'] = async (sender, text, attachments) => {
    const message = { message_id: newUuid(), sender: { external_id: sender }, text, attachments };
    const { contactId, messageId } = await transact((tx) =>
      receiveInTransaction(tx, { accountId, channelId, message }),
    );
    const [row] = await db<{ routedTo: RoutedTo | null }[]>`select routed_to from messages where id = ${messageId}`;
    return { contactId, messageId, routedTo: row?.routedTo ?? null };
  };
  const enrol: FlowWorld['enrol'] = async (contactId, flowId, params = {}) =>
    (await transact((tx) => enrollContact(tx, { accountId, contactId, flowId, params }))).id;
  return {
    ...world,
    channelId,
    inbound: createInboundStatements({ db, forMessages: db }),
    says,
    enrol,
    enrolled: async (blocks) => {
      const sender = newUuid();
      const { contactId } = await says(sender, 'hello');
      return { sender, contactId, runId: await enrol(contactId, await aFlow(db, accountId, { blocks })) };
    },
    run: async (runId) => (await findRun(db, accountId, runId)) ?? expect.fail(`no run ${runId}`),
    advance: async (runId, due) => {
      const [row] = await db<{ resumes: number; wakeAt: Date | null }[]>`
        select resumes, wake_at from runs where id = ${runId}`;
      const run = { runId: showId('run', runId), resumes: row?.resumes ?? 0 };
      const timer = due === undefined || !row?.wakeAt ? undefined : { step: due, at: row.wakeAt.getTime() };
      for (let next = await activities.advanceRun(run, timer); ; next = await activities.advanceRun(run)) {
        if (next.type !== 'more') return next;
      }
    },
    childOf: async (runId) => {
      const [child] = await db<{ id: string }[]>`select id from runs where parent_run_id = ${runId}`;
      return child?.id ?? expect.fail(`run ${runId} has started no other`);
    },
    sentTo: async (contactId) => {
      const rows = await db<{ text: string }[]>`
        select text from messages where contact_id = ${contactId} and direction = 'outbound' order by seq`;
      return rows.map(({ text }) => text);
    },
  };
};

/** The same where nobody carries the runs out: the test makes their passes itself. */
export const startFlowWorld = async (options: DeliveryWorldOptions = {}): Promise<FlowWorld> =>
  withFlows(await startDeliveryWorld(options));

/** What the workflow says when the timer of this wait has fired. */
export const dueOf = (next: Next) =>
  next.type === 'wait' && next.dueAt !== undefined ? { step: next.step, at: next.dueAt } : expect.fail('no timer');

/** The UUID of the run that a message has started or gone to. */
export const routedRun = (routed: RoutedTo | null): string =>
  routed && 'run_id' in routed ? readId('run', routed.run_id) : expect.fail(`routed to ${JSON.stringify(routed)}`);
