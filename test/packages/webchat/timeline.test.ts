import { expect, onTestFinished, test, vi } from 'vitest';
import type { Message } from '../../../packages/webchat/src/live/wire.ts';
import { textsOf } from '../../../packages/webchat/src/texts.ts';
import type { Pending } from '../../../packages/webchat/src/thread/outbox.ts';
import { buildTimeline, createDayNames, type Item } from '../../../packages/webchat/src/thread/timeline.ts';

const aMessage = (given: Partial<Message>): Message => ({
  id: 'msg_1',
  revision: 1,
  clientId: null,
  isMine: false,
  author: 'bot',
  authorName: null,
  text: 'Hello',
  imageUrl: null,
  quickReplies: [],
  attachments: [],
  createdAt: '2026-11-27T10:00:00Z',
  readAt: null,
  linkedAt: 0,
  ...given,
});

const aPending = (given: Partial<Pending>): Pending => ({
  clientId: 'c1',
  text: 'Hi',
  choice: null,
  files: [],
  at: Date.parse('2026-11-27T10:01:00Z'),
  state: 'waiting',
  reason: null,
  isRefused: false,
  tries: 0,
  ...given,
});

const build = (messages: Message[], pending: Pending[] = [], greeting = ''): Item[] =>
  buildTimeline({
    messages,
    pending,
    greeting,
    hasOlder: false,
    texts: textsOf({}),
    locale: 'en',
    now: new Date('2026-11-27T12:00:00Z'),
  });

const show = (item: Item): string => {
  if (item.kind === 'day') return item.label;
  if (item.kind === 'replies') return item.replies.join('|');
  const { name, text, status, isFirst, isLast } = item.bubble;
  return `${name}: ${text} ${status}${isFirst ? ' first' : ''}${isLast ? ' last' : ''}`;
};

test('an acknowledged message takes the place of the one that waited, under the same key', () => {
  const pending = [aPending({})];
  const before = build([], pending);
  const after = build([aMessage({ id: 'msg_7', isMine: true, clientId: 'c1', text: 'Hi' })], pending);
  expect(before.map(({ key }) => key)).toEqual(after.map(({ key }) => key));
  expect(after.map(show)).toEqual(['Today', 'You: Hi sent first last']);
});

test('days are named once, and what an author says within five minutes stands together', () => {
  const items = build(
    [
      aMessage({ id: '1', createdAt: '2026-11-20T10:00:00Z', text: 'a' }),
      aMessage({ id: '2', createdAt: '2026-11-27T10:00:00Z', text: 'b' }),
      aMessage({ id: '3', createdAt: '2026-11-27T10:01:00Z', text: 'c' }),
      aMessage({ id: '4', createdAt: '2026-11-27T10:02:00Z', text: 'd', author: 'agent', authorName: 'Ada' }),
    ],
    [],
    'Welcome',
  );
  expect(items.map(show)).toEqual([
    'Assistant: Welcome  first last',
    'Fri, Nov 20',
    'Assistant: a  first last',
    'Today',
    'Assistant: b  first',
    'Assistant: c  last',
    'Ada: d  first last',
  ]);
});

test('quick replies are offered until the visitor has answered, also by a message that is still on its way', () => {
  const asked = aMessage({ quickReplies: ['S', 'M'] });
  expect(build([asked]).map(show)).toContain('S|M');
  expect(build([asked], [aPending({})]).map(show)).not.toContain('S|M');
});

test('only the last of the own messages says what has become of it, and each that failed', () => {
  const items = build(
    [
      aMessage({ id: '1', isMine: true, readAt: 'x', text: 'a' }),
      aMessage({ id: '2', isMine: true, readAt: 'x', text: 'b' }),
    ],
    [aPending({ state: 'failed', text: 'c' }), aPending({ clientId: 'c2', text: 'd' })],
  );
  expect(items.map(show).slice(1)).toEqual(['You: a  first', 'You: b ', 'You: c failed', 'You: d sending last']);
});

test('a message whose time cannot be read is shown without one', () => {
  expect(build([aMessage({ createdAt: 'soon' })]).map(show)).toEqual(['Assistant: Hello  first last']);
});

test('however many messages there are, the formats of their days and times are made once', () => {
  const makers = [
    vi.spyOn(Intl, 'DateTimeFormat'),
    vi.spyOn(Intl, 'RelativeTimeFormat'),
    vi.spyOn(Date.prototype, 'toLocaleDateString'),
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  const madeFor = (count: number): number => {
    const before = makers.flatMap(({ mock }) => mock.calls).length;
    build(
      Array.from({ length: count }, (_, nth) =>
        aMessage({ id: String(nth), createdAt: new Date(Date.UTC(2026, 10, 27) - nth * 5_000_000).toISOString() }),
      ),
    );
    return makers.flatMap(({ mock }) => mock.calls).length - before;
  };
  expect(madeFor(200)).toBe(madeFor(2));
});

test('days have the names that their language gives them', () => {
  const now = new Date(2026, 10, 27, 1);
  expect(createDayNames(now, 'en')(new Date(2026, 10, 26, 23))).toBe('Yesterday');
  expect(createDayNames(now, 'de')(new Date(2026, 10, 27))).toBe('Heute');
  expect(createDayNames(now, 'en')(new Date(2025, 10, 27))).toBe('Thu, Nov 27, 2025');
});
