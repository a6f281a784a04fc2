import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { deliverEvent, replayDeliveries, sendMail } from '../../../workflows/index.ts';
import type { DeliveryDispatch, DispatchRequest, MailDispatch, ReplayDispatch } from '../dispatch/requests.ts';
import { showId } from '../../ids.ts';
import { sayCount } from '../../replays/count.ts';
import { unreachable } from '../../unreachable.ts';
import { fairnessKeyOf } from './fairness.ts';
import { searchAttributes } from './search-attributes.ts';

/** The task queues, each with its own workers; `maintenance` has bulk replays and retention, which must not hold up deliveries. */
export const taskQueues = { deliveries: 'deliveries', mail: 'mail', maintenance: 'maintenance' } as const;

/** Longer than the ten seconds of a first attempt, which runs inside the task. */
const firstTaskTimeout = '15s';

/**
 * The workflow that carries a request: `delivery/<id>` (later rounds `…/round/<n>`), `mail/<id>` or `replay/<id>`, and
 * `…/resume/<n>` for the one that goes on after another was lost or, of a replay, paused.
 */
export const workflowIdOf = (request: DispatchRequest): string => {
  switch (request.type) {
    case 'delivery':
      return deliveryWorkflowId(request);
    case 'mail':
      return `mail/${showId('mail', request.mailId)}${resume(request)}`;
    case 'replay':
      return `replay/${showId('replay', request.replayId)}${resume(request)}`;
    default:
      return unreachable(request);
  }
};

/** The same for a delivery, of which round and loss are known; its id is a UUID. */
export const deliveryWorkflowId = ({
  deliveryId,
  round,
  resumes,
}: Pick<DeliveryDispatch, 'deliveryId' | 'round' | 'resumes'>): string =>
  `delivery/${showId('delivery', deliveryId)}${round > 1 ? `/round/${round}` : ''}${resume({ resumes })}`;

const resume = ({ resumes }: { resumes: number }): string => (resumes > 0 ? `/resume/${resumes}` : '');

/** A start that takes longer has failed, instead of being tried on for minutes: Temporal is away. In ms. */
const startDeadlineMs = 4_000;

/** How a workflow is started: eagerly where a worker of this process can take its first task at once. */
export type StartMode = {
  eager: boolean;
  firstAttempt: 'local' | 'ordinary';
  /** Whether only processes that read failed attempts can get it; see `readSettlingMs`. */
  visible: boolean;
};

/**
 * Starts the workflow of a request and tells whether this process got its first task. Throws
 * `WorkflowExecutionAlreadyStartedError` when one of this id runs or has run.
 */
export const startWorkflow = async (
  client: Client,
  request: DispatchRequest,
  mode: StartMode,
): Promise<{ eager: boolean }> => {
  const start = async (): Promise<boolean> => (await startAs(client, request, mode)).eagerlyStarted;
  return { eager: await client.withDeadline(Date.now() + startDeadlineMs, start) };
};

const startAs = ({ workflow }: Client, request: DispatchRequest, mode: StartMode) => {
  switch (request.type) {
    case 'delivery':
      return workflow.start<typeof deliverEvent>('deliverEvent', deliveryStart(request, mode));
    case 'mail':
      return workflow.start<typeof sendMail>('sendMail', mailStart(request));
    case 'replay':
      return workflow.start<typeof replayDeliveries>('replayDeliveries', replayStart(request));
    default:
      return unreachable(request);
  }
};

const deliveryStart = (request: DeliveryDispatch, { eager, firstAttempt, visible }: StartMode) => {
  const { accountId, contactId, eventName, variant, round, resumed, isTest } = request;
  const deliveryId = showId('delivery', request.deliveryId);
  const webhookId = showId('webhook', request.webhookId);
  return {
    taskQueue: taskQueues.deliveries,
    workflowId: workflowIdOf(request),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    requestEagerStart: eager,
    workflowTaskTimeout: firstTaskTimeout,
    priority: { fairnessKey: fairnessKeyOf(showId('account', accountId), webhookId) },
    staticSummary: `${eventName} to ${webhookId}, variant ${variant === 'api' ? 'A' : 'B'}${round > 1 ? `, round ${round}` : ''}`,
    typedSearchAttributes: [
      { key: searchAttributes.accountId, value: showId('account', accountId) },
      { key: searchAttributes.webhookId, value: webhookId },
      { key: searchAttributes.eventName, value: eventName },
      { key: searchAttributes.variant, value: variant },
      ...(contactId ? [{ key: searchAttributes.contactId, value: showId('contact', contactId) }] : []),
    ],
    args: [
      { deliveryId, webhookId, eventName, variant, round, firstAttempt, resumed, isTest, ...(visible && { visible }) },
    ],
  } satisfies WorkflowStartOptions<typeof deliverEvent>;
};

const mailStart = (request: MailDispatch) =>
  ({
    taskQueue: taskQueues.mail,
    workflowId: workflowIdOf(request),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: 'e-mail to an account holder',
    typedSearchAttributes: [{ key: searchAttributes.accountId, value: showId('account', request.accountId) }],
    args: [{ mailId: showId('mail', request.mailId) }],
  }) satisfies WorkflowStartOptions<typeof sendMail>;

const replayStart = (request: ReplayDispatch) => {
  const { accountId, total, pace, resumes } = request;
  const webhookId = request.webhookId === null ? undefined : showId('webhook', request.webhookId);
  return {
    taskQueue: taskQueues.maintenance,
    workflowId: workflowIdOf(request),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    priority: { fairnessKey: showId('account', accountId) },
    staticSummary: `replay of ${sayCount(total)} deliveries to ${webhookId ?? 'all webhooks'}, ${pace} a second`,
    typedSearchAttributes: [
      { key: searchAttributes.accountId, value: showId('account', accountId) },
      ...(webhookId === undefined ? [] : [{ key: searchAttributes.webhookId, value: webhookId }]),
    ],
    args: [{ replayId: showId('replay', request.replayId), resumes }],
  } satisfies WorkflowStartOptions<typeof replayDeliveries>;
};
