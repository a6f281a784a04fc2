import { plural } from './numbers.ts';

/** Conversations, wherever they stand. */
export const conversationWords = {
  one: 'Conversation',
  counted: { one: 'conversation', other: 'conversations' },
  contact: 'Contact',
  read: 'Open conversation',
  channel: 'Channel',
  lastMessage: 'Last message',
  noMessage: 'No message yet',
  noText: 'Attachment',
  unread: (count: number) => plural(count, { one: `${count} unread message`, other: `${count} unread messages` }),
  status: 'Status',
  open: 'Open',
  closed: 'Closed',
  assignedTo: 'Assigned to',
  nobody: 'Unassigned',
  latest: 'Latest',
  anyChannel: 'All channels',
  search: 'Search by contact or text',
  tag: 'Tag',
  anyTag: 'Any tag',
  owners: { bot: 'Bot', waiting: 'Waiting for an agent', agent: 'Agent' },
  waitingSince: 'Waiting since',
  me: 'Me',
} as const;
