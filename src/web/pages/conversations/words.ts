import { plural, sayNumber } from '../../words/numbers.ts';

/** The list of all conversations. */
export const words = {
  title: 'All conversations',
  description: 'Conversations with contacts, to filter, sort and change many at once.',
  list: 'Conversations',
  contact: 'Contact',
  filterStatus: 'Open or closed',
  anyStatus: 'All',
  handover: 'Handed over',
  filterState: 'Handled by',
  anyState: 'Anyone',
  anyone: 'Anyone',
  snoozed: 'Snoozed',
  anySnoozed: 'All',
  snoozes: { true: 'Snoozed', false: 'Not snoozed' },
  drafts: 'Drafts',
  anyDraft: 'All',
  myDraft: 'With my draft',
  empty: 'No conversations yet',
  emptyHint: 'The first message opens a conversation. Send a test message from a channel’s page.',
  noneFound: 'No conversations found',
  noneFoundHint: 'Try removing a filter.',
  bulk: {
    assign: 'Assign',
    assigned: (count: number) =>
      plural(count, { one: '1 conversation assigned', other: `${sayNumber(count)} conversations assigned` }),
    closeTitle: (count: number) =>
      plural(count, { one: 'Close this conversation?', other: `Close ${sayNumber(count)} conversations?` }),
    closeText:
      'Open handovers are resolved. The next message opens a new conversation. Webhooks registered by API get conversation_closed.',
    closed: (count: number) =>
      plural(count, { one: '1 conversation closed', other: `${sayNumber(count)} conversations closed` }),
    reopened: 'Resolved handovers stay resolved.',
  },
  close: 'Close',
  handovers: {
    without: 'Handovers without a conversation',
    withoutNoneSoFar: (count: number) =>
      plural(count, {
        one: 'The newest open handover has a conversation.',
        other: `The ${count} newest open handovers have a conversation.`,
      }),
    withoutHint: 'These contacts had no open conversation when the handover was requested.',
  },
} as const;
