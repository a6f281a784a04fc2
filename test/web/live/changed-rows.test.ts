import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { components } from '../../../src/web/api/paths.gen.d.ts';
import { createChangedRows } from '../../../src/web/live/changed-rows.ts';

type Schemas = components['schemas'];
type Message = Schemas['Message'];

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows have what merging looks at
const aMessage = (id: string, revision: number) => ({ id, revision, text: `${id}@${revision}` }) as Message;

/** A conversation as the server has it: messages are added and changed, each at the next revision. */
const aServer = () => {
  const messages = new Map<string, Message>();
  let revision = 0;
  const newestFirst = () => [...messages.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return {
    add: (): void => {
      revision += 1;
      const id = `msg_${String(messages.size).padStart(4, '0')}`;
      messages.set(id, aMessage(id, revision));
    },
    change: (at: number): void => {
      const known = [...messages.values()][at % Math.max(1, messages.size)];
      if (!known) return;
      revision += 1;
      messages.set(known.id, aMessage(known.id, revision));
    },
    revision: () => revision,
    list: (limit: number) => newestFirst().slice(0, limit),
    all: newestFirst,
    changes: (after: number, limit: number): Schemas['Changes'] => {
      const changed = [...messages.values()]
        .filter((message) => message.revision > after)
        .toSorted((one, other) => one.revision - other.revision);
      const page = changed.slice(0, limit);
      const has_more = changed.length > limit;
      return {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is read
        conversation: { revision } as Schemas['Conversation'],
        messages: page,
        notes: [],
        acts: [],
        revision: has_more ? (page.at(-1)?.revision ?? after) : revision,
        has_more,
      };
    },
  };
};

test('a thread has the messages of the server, whatever was read when, and in whatever order the lists came', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('add' as const) }),
      fc.record({ type: fc.constant('change' as const), at: fc.nat(20) }),
      fc.record({ type: fc.constantFrom('list' as const, 'catchUp' as const) }),
    ),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 5 }), async (all, limit) => {
      const server = aServer();
      server.add();
      const rows = createChangedRows(server.revision());
      let list = server.list(10);
      const read = async (after: number) => server.changes(after, limit);
      const catchUp = async (): Promise<void> => {
        const caught = await rows.catchUp(read);
        if (caught?.again) list = server.list(10);
      };
      for (const step of all) {
        if (step.type === 'add') server.add();
        else if (step.type === 'change') server.change(step.at);
        else if (step.type === 'list') list = server.list(10);
        else await catchUp();
      }
      await catchUp();
      const isWhole = list.length < 10;
      const merged = rows.merge('messages', list, isWhole);
      const oldest = list.at(-1)?.id ?? '';
      expect(merged).toEqual(server.all().filter(({ id }) => isWhole || id >= oldest));
    }),
  );
});

test('whoever asks while changes are read has them read once more', async () => {
  const server = aServer();
  server.add();
  const rows = createChangedRows(server.revision());
  const reads: number[] = [];
  const meanwhile: unknown[] = [];
  const read = async (after: number) => {
    reads.push(after);
    const answer = server.changes(after, 100);
    if (reads.length === 1) {
      server.add();
      meanwhile.push(await rows.catchUp(read));
    }
    return answer;
  };
  await rows.catchUp(read);
  expect([reads, meanwhile]).toEqual([[1, 1], [undefined]]);
  expect(rows.merge('messages', [], true).map(({ text }) => text)).toEqual(['msg_0001@2']);
});

test('a conversation that was restored from a backup, or has changed very much, has its lists read again', async () => {
  const server = aServer();
  server.add();
  const ahead = createChangedRows(50);
  expect(await ahead.catchUp(async (after) => server.changes(after, 100))).toMatchObject({ again: true });
  expect(ahead.revision()).toBe(1);
  const behind = createChangedRows(0);
  for (let more = 0; more < 30; more += 1) server.add();
  expect(await behind.catchUp(async (after) => server.changes(after, 2))).toMatchObject({ again: true });
  expect([behind.revision(), behind.merge('messages', [], true)]).toEqual([31, []]);
});
