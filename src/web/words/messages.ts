import { plural } from './numbers.ts';

/** Messages to contacts. */
export const messageWords = {
  statuses: { queued: 'Queued', sent: 'Sent', failed: 'Failed', unknown: 'Unknown' },
  answered: (code: number) => `the channel answered ${code}`,
  next: 'next attempt',
  attempts: (count: number) => plural(count, { one: `after ${count} attempt`, other: `after ${count} attempts` }),
  mayHaveArrived: 'it may have arrived',
  reasons: {
    timeout: 'the channel did not answer in time',
    dns: 'the host of the channel was not found',
    refused_address: 'the address of the channel may not be called',
    connect: 'no connection to the channel came about',
    tls: 'no secure connection to the channel came about',
    reset: 'the channel broke the connection off',
    protocol: 'what the channel answered was no HTTP',
    unsubscribed: 'the contact is unsubscribed',
    blocked: 'the contact is blocked',
  },
} as const;
