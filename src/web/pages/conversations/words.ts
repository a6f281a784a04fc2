import { plural, sayNumber } from '../../words/numbers.ts';

/** Conversations: the list, and the page of one. */
export const words = {
  title: 'Inbox',
  description: 'Messages with contacts. The conversation with the latest message comes first.',
  list: 'Conversations',
  titleOf: (name: string) => `Conversation with ${name}`,
  contact: 'Contact',
  id: 'Id',
  markRead: 'Mark as read',
  opened: 'Opened',
  closedAt: 'Closed',
  filterStatus: 'Open or closed',
  anyStatus: 'All',
  handover: 'Handed over',
  filterState: 'Who talks',
  anyState: 'Anybody',
  anyone: 'Anybody',
  empty: 'No conversations yet',
  emptyHint: 'The first message in either direction opens one. Try it with a message on the page of a channel.',
  noneFound: 'No conversations found',
  noneFoundHint: 'Try removing a filter.',
  messages: 'Messages',
  older: 'Load older messages',
  beginning: 'The conversation was opened',
  noMessages: 'No messages',
  noMessagesHint: 'None was written here yet, or they were older than what the account keeps.',
  to: (name: string) => `To ${name}`,
  theContact: 'The contact',
  byFlow: 'by a flow',
  image: 'Image',
  quickReplies: 'Answers to choose from',
  routed: {
    run: 'A flow waited for it',
    kept: 'A flow has it, and asks nothing now',
    passed_over: 'A flow passed it over',
    flow: 'It started a flow',
    stop: 'It ended the subscription',
    start: 'It renewed the subscription',
    handover: 'It requested a handover',
    silence: 'No flow answers while flows are silent',
    unsubscribed: 'No flow answers: the contact is unsubscribed',
    blocked: 'No flow answers: the contact is blocked',
    no_trigger: 'Didn’t start a flow',
    loop_guard: 'Didn’t start a flow: a run has caused too many others',
    backlog: 'Didn’t start a flow: too many runs are waiting to begin',
    in_flow_already: 'The contact is already in the flow that it would start',
  },
  bulk: {
    assign: 'Assign',
    assigned: (count: number) =>
      plural(count, { one: '1 conversation assigned', other: `${sayNumber(count)} conversations assigned` }),
    closeTitle: (count: number) =>
      plural(count, { one: 'Close this conversation?', other: `Close ${sayNumber(count)} conversations?` }),
    closeText:
      'Webhooks registered by the API get conversation_closed, and open handovers are resolved. The next message of a contact opens a new conversation.',
    closed: (count: number) =>
      plural(count, { one: '1 conversation closed', other: `${sayNumber(count)} conversations closed` }),
  },
  close: 'Close',
  closed: 'The conversation is closed',
  reopened: 'The conversation is open again',
  assigned: (user: string) => `Assigned to ${user}`,
  unassigned: 'Assigned to nobody',
  closeTitle: 'Close this conversation?',
  closeText:
    'Webhooks registered by the API get conversation_closed, and its handover is resolved. Queued messages are still sent. The next message opens a new conversation.',
  reopen: 'Open again',
  otherTitle: 'The contact has another open conversation',
  otherText: 'A contact has one open conversation per channel. Close that one first, or continue there.',
  toOther: 'To the open one',

  /** Handovers that have ended, and those without a conversation. */
  handovers: {
    ended: 'Handovers that have ended',
    endedAt: 'Ended',
    how: 'How',
    ends: { resolved: 'Resolved', expired: 'Expired' },
    without: 'Handed over without a conversation',
    withoutNoneSoFar: (count: number) =>
      plural(count, {
        one: 'It is not the case for the newest open handover.',
        other: `None among the ${count} newest open handovers.`,
      }),
    withoutHint: 'These contacts had no open conversation when a handover was requested.',
  },
} as const;
