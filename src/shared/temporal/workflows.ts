import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { deliverEvent, sendMail } from '../../workflows/index.ts';
import type { DeliveryDispatch, DispatchRequest, MailDispatch } from '../dispatch/requests.ts';
import { showId } from '../ids.ts';
import { unreachable } from '../unreachable.ts';
import { searchAttributes } from './search-attributes.ts';

/** The task queues, each with its own workers; `maintenance` has bulk replays and retention, which must not hold up deliveries. */
export const taskQueues = { deliveries: 'deliveries', mail: 'mail', maintenance: 'maintenance' } as const;

/** Longer than the ten seconds of a first attempt, which runs inside the task. */
const firstTaskTimeout = '15s';

/**
 * The workflow that carries a request: `delivery/<id>` (later rounds `…/round/<n>`) or `mail/<id>`, and `…/resume/<n>`
 * for the one that goes on after another was lost.
 */
export const workflowIdOf = (request: DispatchRequest): string => {
  const resumed = request.resumes > 0 ? `/resume/${request.resumes}` : '';
  switch (request.type) {
    case 'delivery': {
      const round = request.round > 1 ? `/round/${request.round}` : '';
      return `delivery/${showId('delivery', request.deliveryId)}${round}${resumed}`;
    }
    case 'mail':
      return `mail/${showId('mail', request.mailId)}${resumed}`;
    default:
      return unreachable(request);
  }
};

/** A start that takes longer has failed, instead of being tried on for minutes: Temporal is away. In ms. */
const startDeadlineMs = 4_000;

/** How a workflow is started: eagerly where a worker of this process can take its first task at once. */
export type StartMode = { eager: boolean; firstAttempt: 'local' | 'ordinary' };

/**
 * Starts the workflow of a request and tells whether this process got its first task. Throws
 * `WorkflowExecutionAlreadyStartedError` when one of this id runs or has run.
 */
export const startWorkflow = async (
  client: Client,
  request: DispatchRequest,
  mode: StartMode,
): Promise<{ eager: boolean }> => {
  const start = async (): Promise<boolean> => {
    const handle =
      request.type === 'delivery'
        ? await client.workflow.start<typeof deliverEvent>('deliverEvent', deliveryStart(request, mode))
        : await client.workflow.start<typeof sendMail>('sendMail', mailStart(request));
    return handle.eagerlyStarted;
  };
  return { eager: await client.withDeadline(Date.now() + startDeadlineMs, start) };
};

const deliveryStart = (request: DeliveryDispatch, { eager, firstAttempt }: StartMode) => {
  const { accountId, contactId, eventName, variant, round, resumed, isTest } = request;
  const deliveryId = showId('delivery', request.deliveryId);
  const webhookId = showId('webhook', request.webhookId);
  return {
    taskQueue: taskQueues.deliveries,
    workflowId: workflowIdOf(request),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    requestEagerStart: eager,
    workflowTaskTimeout: firstTaskTimeout,
    staticSummary: `${eventName} to ${webhookId}, variant ${variant === 'api' ? 'A' : 'B'}${round > 1 ? `, round ${round}` : ''}`,
    typedSearchAttributes: [
      { key: searchAttributes.accountId, value: showId('account', accountId) },
      { key: searchAttributes.webhookId, value: webhookId },
      { key: searchAttributes.eventName, value: eventName },
      { key: searchAttributes.variant, value: variant },
      ...(contactId ? [{ key: searchAttributes.contactId, value: showId('contact', contactId) }] : []),
    ],
    args: [{ deliveryId, webhookId, eventName, variant, round, firstAttempt, resumed, isTest }],
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
