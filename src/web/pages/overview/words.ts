import { plural } from '../../words/numbers.ts';

/** The overview. */
export const words = {
  title: 'Overview',
  checklist: 'First steps',
  checklistHint: 'They end with a signed event at your endpoint.',
  steps: {
    api_key: 'Have an API key for your server',
    channel: 'Create a channel, over which contacts write',
    webhook: 'Add a webhook, and have your endpoint consent',
    message: 'Send a message as a contact, from the page of the channel',
    delivery: 'See its event delivered, signed',
  },
  done: 'done',
  toDo: 'to do',
  attention: 'Needs attention',
  allWell: 'Nothing needs attention',
  allWellHint: 'Disabled webhooks, failures of the last day, what is overdue and who waits for a person appear here.',
  disabled: (url: string) => `A webhook is disabled: ${url}`,
  unverified: (url: string) => `A webhook has not consented yet: ${url}`,
  parked: ({ count, number }: { count: number; number: string }) =>
    plural(count, { one: 'One event is kept for it.', other: `${number} events are kept for it.` }),
  moreWebhooks: 'Other webhooks are disabled as well',
  lost: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One delivery failed or was dropped in the last day',
      other: `${number} deliveries failed or were dropped in the last day`,
    }),
  overdue: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One delivery should have been attempted already',
      other: `${number} deliveries should have been attempted already`,
    }),
  flow: ({ name, number }: { name: string; number: string }) =>
    `Runs of the flow “${name}” failed in the last day: ${number}`,
  moreFlows: 'Runs of other flows failed as well',
  handovers: ({ count, number }: { count: number; number: string }) =>
    plural(count, {
      one: 'One contact waits for a person: nobody has taken it over',
      other: `${number} contacts wait for a person: nobody has taken them over`,
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
