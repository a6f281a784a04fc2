import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChanges } from '../../../packages/webchat/src/live/wire.ts';
import { createThread, type Thread } from '../../../packages/webchat/src/thread/thread.ts';
import { createTable, type Visitor } from '../../web/helpers/webchat/table.ts';

const shown = (thread: Thread): string[] => thread.messages().map(({ id, text }) => `${id} ${text}`);
const stored = ({ rows }: Visitor): string[] => rows.map(({ id, text }) => `${id} ${text}`);

/** Reads what is missing, as a connection does. */
const catchUp = (thread: Thread, table: ReturnType<typeof createTable>, visitor: Visitor): void => {
  for (let reads = 0; reads < 100; reads += 1) {
    const from = thread.cursor;
    if (!thread.isLoaded || from.conversation !== (visitor.conversation?.id ?? null)) {
      thread.replace(readChanges(table.latest(visitor, null, 10_000)));
      return;
    }
    const changes = readChanges(table.since(visitor, from.after, 3));
    thread.take(changes, from);
    if (!changes.hasMore) return;
  }
  throw new Error('The thread never catches up');
};

const step = fc.oneof(
  fc.record({ do: fc.constant('say' as const) }),
  fc.record({ do: fc.constant('edit' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('read' as const) }),
  fc.record({ do: fc.constant('push' as const), lost: fc.boolean(), late: fc.boolean() }),
  fc.record({ do: fc.constant('catchUp' as const) }),
);

test('whatever pushes are lost, late or double, a thread that has caught up equals the table', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const table = createTable();
      const { visitor } = table.create(null);
      const thread = createThread();
      const late: (() => void)[] = [];
      let pushed = 0;
      for (const one of steps) {
        const last = visitor.rows.length;
        if (one.do === 'say') table.say(visitor, { text: `text ${last}` });
        if (one.do === 'edit' && last > 0) {
          table.edit(visitor, visitor.rows[one.which % last]?.id ?? '', `edited ${visitor.revision}`);
        }
        if (one.do === 'read') table.read(visitor, visitor.revision);
        if (one.do === 'catchUp') catchUp(thread, table, visitor);
        if (one.do === 'push' && visitor.conversation) {
          const from = { conversation: visitor.conversation.id, after: pushed };
          const changes = readChanges(structuredClone(table.since(visitor, pushed, 1_000)));
          pushed = changes.revision;
          if (one.late) late.push(() => thread.take(changes, from));
          else if (!one.lost) thread.take(changes, from);
        }
      }
      for (const take of late.toReversed()) take();
      catchUp(thread, table, visitor);
      expect(shown(thread)).toEqual(stored(visitor));
    }),
  );
});

test('a push that does not follow what is known moves no cursor, so that the gap is read', () => {
  const table = createTable();
  const { visitor } = table.create(null);
  table.say(visitor, { text: 'one' });
  const thread = createThread();
  catchUp(thread, table, visitor);
  table.say(visitor, { text: 'two' });
  table.say(visitor, { text: 'three' });
  const conversation = visitor.conversation?.id ?? null;
  expect(thread.take(readChanges(table.since(visitor, 2)), { conversation, after: 2 })).toBe('gap');
  expect(thread.cursor.after).toBe(1);
  catchUp(thread, table, visitor);
  expect(shown(thread)).toEqual(stored(visitor));
});

test('a change of a message that is older than those read leaves no hole: it comes with its page', () => {
  const table = createTable();
  const { visitor } = table.create(null);
  for (let said = 1; said <= 10; said += 1) table.say(visitor, { text: `${said}` });
  const thread = createThread();
  thread.replace(readChanges(table.latest(visitor, null, 3)));
  table.edit(visitor, visitor.rows[1]?.id ?? '', 'edited');
  catchUp(thread, table, visitor);
  expect(thread.messages().map(({ text }) => text)).toEqual(['8', '9', '10']);
  while (thread.hasOlder) {
    thread.prepend(readChanges(table.latest(visitor, thread.messages()[0]?.id ?? '', 3)));
  }
  expect(shown(thread)).toEqual(stored(visitor));
});

test('the thread recognizes another conversation, and its revisions move no cursor', () => {
  const table = createTable();
  const { visitor } = table.create(null);
  table.say(visitor, { text: 'one' });
  const thread = createThread();
  catchUp(thread, table, visitor);
  const from = thread.cursor;
  table.close(visitor);
  table.say(visitor, { text: 'two' });
  expect(thread.take(readChanges(table.since(visitor, 0)), from)).toBe('other');
  expect(thread.cursor).toEqual(from);
});

test('a thread keeps at most 1,000 messages, and says that older ones can be read', () => {
  const table = createTable();
  const { visitor } = table.create(null);
  table.say(visitor, { text: 'one' });
  const thread = createThread();
  catchUp(thread, table, visitor);
  for (let said = 0; said < 1_200; said += 1) table.say(visitor, { text: `${said}` });
  thread.take(readChanges(table.since(visitor, 1, 10_000)), thread.cursor);
  expect(thread.messages().length).toBe(1_000);
  expect(thread.messages().at(-1)?.text).toBe('1199');
  expect(thread.hasOlder).toBe(true);
});
