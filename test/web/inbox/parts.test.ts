import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiFailure } from '../../../src/web/api/failure.ts';
import { saySnooze, snoozeTimes } from '../../../src/web/pages/inbox/actions/snooze-times.ts';
import { createDraftSaver } from '../../../src/web/pages/inbox/composer/draft-saver.ts';
import { findSlash, insertAt } from '../../../src/web/pages/inbox/composer/slash.ts';
import { holdRows } from '../../../src/web/pages/inbox/list/steady.ts';
import { createEntries } from '../../../src/web/pages/inbox/thread/entries.ts';

const rowsOf = (ids: string) => ids.split('').map((id) => ({ id }));
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join('');

test.for([
  { held: false, before: 'abc', now: 'cab', shown: 'cab', news: 0 },
  { held: true, before: 'abc', now: 'cab', shown: 'abc', news: 0 },
  { held: true, before: 'abc', now: 'xcyab', shown: 'abc', news: 2 },
  { held: true, before: 'abc', now: 'ac', shown: 'abc', news: 0 },
  { held: true, before: 'abc', now: 'abcde', shown: 'abcde', news: 0 },
  { held: true, before: 'abc', now: 'xabcde', shown: 'abcde', news: 1 },
  { held: true, before: 'abc', now: 'xyz', shown: 'abc', news: 3 },
  { held: true, before: '', now: 'abc', shown: 'abc', news: 0 },
  // One has left, and another is last: it is new where no further page has it.
  { held: true, before: 'abc', now: 'bcd', shown: 'abc', news: 1 },
  { held: true, isPart: true, before: 'abc', now: 'bcd', shown: 'abc', news: 0 },
])('a list ($before, then $now, held: $held) shows $shown and tells of $news', (row) => {
  const { rows, news } = holdRows(rowsOf(row.before), rowsOf(row.now), { isHeld: row.held, isWhole: !row.isPart });
  expect([idsOf(rows), news]).toEqual([row.shown, row.news]);
});

test('a held row says what it says now', () => {
  const { rows } = holdRows([{ id: 'a', unread: 0 }], [{ id: 'a', unread: 2 }], {
    isHeld: true,
    isWhole: true,
  });
  expect(rows).toEqual([{ id: 'a', unread: 2 }]);
});

test.for([
  ['/', { start: 0, typed: '' }],
  ['Hello /tha', { start: 6, typed: 'tha' }],
  ['Hello\n/späte_2', { start: 6, typed: 'späte_2' }],
  ['and/or', undefined],
  ['https://shop', undefined],
  ['/thanks a lot', undefined],
] as const)('a slash at the beginning of a word begins a shortcut: %s', ([text, slash]) => {
  expect(findSlash(text, text.length)).toEqual(slash);
});

test('a canned reply stands in the place of its shortcut, with the cursor behind it', () => {
  const text = 'Hi /tha, bye';
  const slash = findSlash(text, 7);
  expect(slash && insertAt(text, slash, 'Thank you')).toEqual({ text: 'Hi Thank you, bye', cursor: 12 });
});

type Lists = Parameters<typeof createEntries>[0];

/** Rows of a list, newest first, whose ids sort by their numbers. */
const listOf = (prefix: string, places: readonly number[], hasMore = false) => ({
  rows: places.map((place) => ({ id: `${prefix}_${place}`, created_at: `2026-01-0${place}T00:00:00Z` })),
  hasMore,
});

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only ids and times are read
const asLists = (lists: Record<keyof Lists, ReturnType<typeof listOf>>) => lists as unknown as Lists;

test('a thread shows messages, notes and acts in one order, with a line for each day', () => {
  const lists = {
    messages: listOf('msg', [4, 1]),
    notes: listOf('note', [3]),
    acts: listOf('act', [2]),
  };
  const entries = createEntries(asLists(lists), (at) => (at < '2026-01-03' ? 'one' : 'other'));
  expect(entries.map(({ id }) => id)).toEqual(['day one', 'msg_1', 'act_2', 'day other', 'note_3', 'msg_4']);
});

test('a thread leaves out what is older than all that one of its lists has loaded', () => {
  const lists = {
    messages: listOf('msg', [9, 8, 5], true),
    notes: listOf('note', [7, 3]),
    acts: listOf('act', [6], true),
  };
  const entries = createEntries(asLists(lists), () => 'one');
  expect(entries.map(({ id }) => id)).toEqual(['day one', 'act_6', 'note_7', 'msg_8', 'msg_9']);
});

test('a draft is saved one request at a time, and the last text is what stays', async () => {
  const saved: string[] = [];
  const answers: (() => void)[] = [];
  const save = (text: string): Promise<void> => {
    saved.push(text);
    return new Promise((resolve) => answers.push(resolve));
  };
  const saver = createDraftSaver(save, () => {});
  saver.change('a');
  saver.flush();
  await expect.poll(() => saved).toEqual(['a']);
  saver.change('ab');
  saver.flush();
  saver.change('abc');
  saver.flush();
  expect(saved).toEqual(['a']);
  answers[0]?.();
  await expect.poll(() => saved).toEqual(['a', 'abc']);
  expect(saver.isSaved()).toBe(false);
  answers[1]?.();
  await expect.poll(() => saver.isSaved()).toBe(true);
});

test('a draft that is begun while a reply is sent is saved only after the reply has deleted the first one', async () => {
  const done: string[] = [];
  const saver = createDraftSaver(
    (text) => {
      done.push(text);
      return Promise.resolve();
    },
    () => {},
  );
  saver.change('first');
  await saver.drop();
  let sent = (): void => {};
  saver.hold(
    new Promise<void>((resolve) => {
      sent = () => {
        done.push('(sent)');
        resolve();
      };
    }),
  );
  saver.change('second');
  saver.flush();
  await Promise.resolve();
  expect(done).toEqual([]);
  sent();
  await expect.poll(() => done).toEqual(['(sent)', 'second']);
});

test('snoozes are offered soonest first, and this evening only while it is far', () => {
  const names = (at: Date) => snoozeTimes(at).map(({ name }) => name);
  expect(names(new Date(2026, 0, 7, 10))).toEqual(['hour', 'evening', 'tomorrow', 'monday']);
  expect(names(new Date(2026, 0, 7, 17))).toEqual(['hour', 'tomorrow', 'monday']);
  expect(names(new Date(2026, 0, 11, 20))).toEqual(['hour', 'tomorrow']);
  for (const hour of [0, 9, 17, 23]) {
    const times = snoozeTimes(new Date(2026, 0, 5, hour)).map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  }
});

test.for([
  { days: 1, said: /^Thu,? 9:00\sAM$/ },
  { days: 5, said: /^Mon,? 9:00\sAM$/ },
  { days: 6, said: /^Tue, Jan 13, 9:00\sAM$/ },
  { days: 7, said: /^Wed, Jan 14, 9:00\sAM$/ },
  { days: 21, said: /^Wed, Jan 28, 9:00\sAM$/ },
])('a snooze time $days days ahead names no day that comes before it', ({ days, said }) => {
  const now = new Date(2026, 0, 7, 9);
  expect(saySnooze(new Date(2026, 0, 7 + days, 9), now)).toMatch(said);
});

test.for([
  { failure: new ApiFailure(409, { code: 'conflict', message: 'Too many drafts.' }, undefined), tries: 1 },
  { failure: new ApiFailure(401, { code: 'unauthorized', message: 'Sign in.' }, undefined), tries: 1 },
  { failure: new ApiFailure(503, { code: 'unavailable', message: 'Later.' }, undefined), tries: 2 },
  { failure: new TypeError('Failed to fetch'), tries: 2 },
])('a draft that cannot be saved is tried $tries times: $failure.message', async ({ failure, tries }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let count = 0;
  const saver = createDraftSaver(
    () => {
      count += 1;
      return count === 1 ? Promise.reject(failure) : Promise.resolve();
    },
    () => {},
  );
  saver.change('Hello');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count).toBe(tries);
  expect(saver.isSaved()).toBe(tries > 1);
});
