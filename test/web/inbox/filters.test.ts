import { describe, expect, test } from 'vitest';
import { exampleId } from '../../../src/shared/ids.ts';
import { readView, readShown } from '../../../src/web/pages/inbox/views.ts';
import {
  conversationQuery,
  readConversationFilters,
  sayConversationFilters,
} from '../../../src/web/parts/conversation-query.ts';

const me = exampleId('user');
const channel = exampleId('channel');

/** What the API is asked for by an address of the inbox. */
const asked = (address: string) => {
  const { filters } = readShown(new URLSearchParams(address));
  const { order = 'latest_message' } = filters;
  return { ...conversationQuery(filters, me), order };
};

const saved = (address: string): string => sayConversationFilters(readShown(new URLSearchParams(address)).filters);

describe('the inbox asks for the conversations of', () => {
  const latest = { order: 'latest_message' };
  const awake = { status: 'open', snoozed: 'false', ...latest };
  test.for([
    ['view=mine', { ...awake, assigned_to: me }],
    ['view=waiting', { owner: 'waiting', snoozed: 'false', order: 'waiting_longest' }],
    ['view=unassigned', { ...awake, assigned_to: 'none' }],
    ['', awake],
    ['view=__proto__', awake],
    ['view=snoozed', { status: 'open', snoozed: 'true', ...latest }],
    ['view=drafts', { draft: 'mine', ...latest }],
    [`view=open&channel=${channel}`, { ...awake, channel_id: channel }],
    ['view=mine&tag=vip', { ...awake, assigned_to: me, tag: 'vip' }],
    ['view=mine&search=ada&tag=vip', { search: 'ada', tag: 'vip', ...latest }],
    ['saved=view_1&status=closed', { status: 'closed', ...latest }],
    ['saved=view_1&status=closed&search=ada', { status: 'closed', search: 'ada', ...latest }],
    ['saved=view_1&order=opened', { order: 'opened' }],
  ] as const)('%s', ([address, query]) => {
    expect(asked(address)).toEqual(query);
  });
  test('no view that has another name', () => {
    expect(readView('constructor')).toBe('open');
  });
});

test('each view of the inbox is saved as filters that ask for the same conversations in the same order', () => {
  for (const address of ['view=mine', 'view=waiting&tag=vip', 'view=drafts', `channel=${channel}`, 'search=a+b']) {
    expect(asked(`saved=view_1&${saved(address)}`)).toEqual(asked(address));
  }
});

test.for([
  'status=opened&owner=nobody&state=idle&snoozed=yes&draft=theirs&order=newest',
  'assigned_to=somebody&channel=chn_1&contact=usr_01jd6z3qf5e8pb2zv0w8c4x1kn&columns=a&evil=1',
  'tag=..&search=',
  `tag=${'a'.repeat(101)}&search=%00`,
  'tag=a%0Ab&order=waiting_longest',
  'owner=bot&order=waiting_longest',
])('what is unknown in stored filters is left out: %s', (stored) => {
  const known = readConversationFilters(new URLSearchParams(stored));
  expect(sayConversationFilters(known)).toBe(stored.startsWith('owner=bot') ? 'owner=bot' : '');
});

test('a search that is too long is cut, and keeps no half of a character', () => {
  const { search } = readConversationFilters(new URLSearchParams({ search: `${'a'.repeat(99)}😀` }));
  expect(search).toBe('a'.repeat(99));
});

test('the same filters are the same text, whatever their order was', () => {
  const said = (address: string) => sayConversationFilters(readConversationFilters(new URLSearchParams(address)));
  expect(said('tag=vip&status=open')).toBe(said('status=open&order=latest_message&tag=vip'));
});
