import type { OutboundReason } from '../../shared/messages/outbound/types.ts';
import { plural } from './numbers.ts';

/** Messages from and to contacts. */
export const messageWords = {
  to: (name: string) => `To ${name}`,
  image: 'Image',
  attachments: 'Attachments',
  size: (bytes: number) =>
    bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`,
  gone: (name: string) => `${name}: no longer stored`,
  quickReplies: 'Quick replies',
  testChannel: 'Test channel',
  statuses: { queued: 'Queued', sent: 'Sent', failed: 'Failed', unknown: 'Unknown', withdrawn: 'Withdrawn' },
  answered: (code: number) => `the channel responded ${code}`,
  next: 'next attempt',
  attempts: (count: number) => plural(count, { one: `after ${count} attempt`, other: `after ${count} attempts` }),
  mayHaveArrived: 'it may have arrived',
  reasons: {
    timeout: 'the channel did not respond in time',
    dns: 'the channel’s host name was not found',
    refused_address: 'the channel’s address is not allowed',
    connect: 'could not connect to the channel',
    tls: 'could not connect securely to the channel',
    reset: 'the channel closed the connection',
    protocol: 'the channel’s response was not valid HTTP',
    never_wrote: 'the contact has to write first on this channel',
    file_missing: 'a file of the message is missing',
    blocked_by_contact: 'the contact has blocked this channel',
    unsubscribed: 'the contact is unsubscribed',
    blocked: 'the contact is blocked',
    channel_deleted: 'the channel was deleted',
    over_limits: 'the message exceeds the channel’s limits',
    put_off: 'the channel accepted no messages for a day',
  } satisfies Record<Exclude<OutboundReason, 'status'>, string>,
} as const;
