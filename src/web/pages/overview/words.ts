import { plural } from '../../words/numbers.ts';

/** The overview. */
export const words = {
  title: 'Overview',
  checklist: 'First steps',
  checklistHint: 'Five steps to your first signed event',
  checklistLead: 'See a signed event and your first flow in two minutes, without a terminal.',
  checklistStart: 'Start first steps',
  steps: {
    api_key: 'Have an API key for your server',
    channel: 'Create a channel for incoming messages',
    webhook: 'Add a webhook and verify your endpoint',
    message: 'Send a message as a contact, from the page of the channel',
    delivery: 'See its event delivered, signed',
  },
  done: 'done',
  toDo: 'to do',
  attention: 'Needs attention',
  allWell: 'Nothing needs attention',
  allWellHint: 'Disabled webhooks, recent failures and waiting contacts show up here.',
  disabled: (url: string) => `A webhook is disabled: ${url}`,
  unverified: (url: string) => `A webhook is not verified yet: ${url}`,
  parked: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One event is held until you re-enable it.',
      other: `${number} events are held until you re-enable it.`,
    }),
  moreWebhooks: 'Other webhooks are disabled as well',
  lost: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One delivery failed or was dropped in the last 24 hours',
      other: `${number} deliveries failed or were dropped in the last 24 hours`,
    }),
  overdue: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One delivery should have been attempted already',
      other: `${number} deliveries should have been attempted already`,
    }),
  flow: ({ name, count, number }: { name: string; count: number; number: string }) =>
    plural(count, {
      one: `One run of “${name}” failed in the last 24 hours`,
      other: `${number} runs of “${name}” failed in the last 24 hours`,
    }),
  moreFlows: 'Runs of other flows failed as well',
  handovers: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One contact is waiting for an agent',
      other: `${number} contacts are waiting for an agent`,
    }),
  backlog: 'Now',
  pending: 'Pending',
  retrying: 'Retrying',
  parkedNow: 'Parked',
  openHandovers: 'Open handovers',
  atLeast: (number: string) => `${number} or more`,
  statistics: 'Over time',
  range: 'Time',
  ranges: { day: 'A day', week: 'A week', month: 'A month' },
  events: 'Events',
  delivered: 'Delivered',
  failedOrDropped: 'Failed or dropped',
  failedAttempts: 'Failed attempts',
  latency: 'Latency, p50',
  latency95: 'Latency, p95',
  latency99: 'Latency, p99',
  ms: (ms: number) => `${ms} ms`,
  deliveriesChart: 'Events and deliveries',
  latencyChart: 'Latency of attempts in ms',
  asTable: 'As a table',
  at: 'From',
  nothingYet: 'Nothing has happened in this time',
  nothingYetHint: 'Events, deliveries and their latency appear here as they happen.',
  capped: 'The latest hour has too many events to count live. Its numbers follow later.',
} as const;
