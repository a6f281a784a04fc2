import { plural, sayNumber } from '../../words/numbers.ts';

/** Conversations: the list, and the page of one. */
export const words = {
  title: 'Inbox',
  description: 'Conversations with contacts, latest message first.',
  list: 'Conversations',
  titleOf: (name: string) => `Conversation with ${name}`,
  contact: 'Contact',
  id: 'ID',
  markRead: 'Mark as read',
  opened: 'Opened',
  closedAt: 'Closed',
  filterStatus: 'Open or closed',
  anyStatus: 'All',
  handover: 'Handed over',
  filterState: 'Handled by',
  anyState: 'Anyone',
  anyone: 'Anyone',
  empty: 'No conversations yet',
  emptyHint: 'The first message opens a conversation. Send a test message from a channel’s page.',
  noneFound: 'No conversations found',
  noneFoundHint: 'Try removing a filter.',
  messages: 'Messages',
  older: 'Load older messages',
  beginning: 'Conversation opened',
  noMessages: 'No messages',
  noMessagesHint: 'This conversation has no messages, or they were deleted with age.',
  theContact: 'The contact',
  byFlow: 'by a flow',
  routed: {
    run: 'Answered a flow',
    kept: 'Kept by a flow that expects no reply',
    passed_over: 'Ignored by the flow',
    flow: 'Started a flow',
    stop: 'Unsubscribed the contact',
    start: 'Subscribed the contact again',
    handover: 'Requested a handover',
    silence: 'Didn’t start a flow: automation is paused',
    unsubscribed: 'Didn’t start a flow: the contact is unsubscribed',
    blocked: 'Didn’t start a flow: the contact is blocked',
    no_trigger: 'Didn’t start a flow',
    loop_guard: 'Didn’t start a flow: one run started too many others',
    backlog: 'Didn’t start a flow: too many runs are waiting to begin',
    in_flow_already: 'Didn’t start a flow: the contact is already in it',
  },
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
  closed: 'Conversation closed',
  reopened: 'Conversation reopened',
  assigned: (user: string) => `Assigned to ${user}`,
  unassigned: 'Unassigned',
  closeTitle: 'Close this conversation?',
  closeText:
    'Resolves its handover. Queued messages are still sent. The next message opens a new conversation. Webhooks registered by API get conversation_closed.',
  reopen: 'Reopen',
  otherTitle: 'The contact has another open conversation',
  otherText: 'Each contact has one open conversation per channel. Close that one first, or continue there.',
  toOther: 'Open that conversation',

  /** Who chats over a webchat. */
  visitor: {
    title: 'Visitor',
    identity: 'Identified as',
    anonymous: 'Anonymous',
    name: 'Name',
    email: 'E-mail',
    page: 'Page',
    referrer: 'Came from',
    unverified: 'not verified',
  },

  /** Handovers that have ended, and those without a conversation. */
  handovers: {
    ended: 'Ended handovers',
    endedAt: 'Ended',
    how: 'Result',
    ends: { resolved: 'Resolved', expired: 'Expired' },
    without: 'Handovers without a conversation',
    withoutNoneSoFar: (count: number) =>
      plural(count, {
        one: 'The newest open handover has a conversation.',
        other: `The ${count} newest open handovers have a conversation.`,
      }),
    withoutHint: 'These contacts had no open conversation when the handover was requested.',
  },
} as const;
