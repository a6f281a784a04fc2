import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/shared/flows/raw-blocks.ts';
import { diff, partsOf, putParts, type Part } from '../../../src/web/pages/flows/draft/parts.ts';
import { mostSteps } from '../../../src/web/pages/flows/draft/steps.ts';
import type { Choice, OpenDraft } from '../../../src/web/pages/flows/draft/session.ts';
import { isTwofold } from '../../../src/web/pages/flows/draft/state.ts';
import { aSmallFlow, intents } from './definitions.ts';
import { createWorld, type Tab, type Trip } from './world.ts';

/** How many sessions are tried: `DRAFT_SESSIONS=1000` before a change of the model is sent. */
const numRuns = Number(process.env['DRAFT_SESSIONS'] ?? 100);

const delay = fc.oneof(fc.constant(20), fc.nat(2_000), fc.nat(60_000));

const trip: fc.Arbitrary<Trip> = fc.record({
  there: fc.oneof({ weight: 3, arbitrary: delay }, { weight: 1, arbitrary: fc.constant(null) }),
  back: fc.oneof({ weight: 3, arbitrary: delay }, { weight: 1, arbitrary: fc.constant(null) }),
});

type Action =
  | { does: 'edit'; tab: number; part: Part; removes: boolean }
  | { does: 'wait'; ms: number }
  | { does: 'network'; trips: Trip[] }
  | { does: 'hear'; tab: number }
  | { does: 'leave'; tab: number }
  | { does: 'reload'; tab: number }
  | { does: 'choose'; tab: number; choice: Choice };

const tab = fc.nat(2);

/** Few, so that several pages often change the same one. */
const parts = ['block:ask', 'block:stock', 'block:new', 'field:start'];

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      tab,
      part: fc.constantFrom(...parts),
      removes: fc.nat(5).map((one) => one === 0),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.oneof(fc.nat(1_000), fc.nat(40_000)) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('network' as const), trips: fc.array(trip, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('hear' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('leave' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('reload' as const), tab }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('choose' as const),
      tab,
      choice: fc.constantFrom('mine', 'theirs', 'both'),
    }),
  },
);

/** A second, which killing a page may cost. */
const mayBeLostMs = 1_000;

/** Wires are left out: nobody draws any here, and they are written out where both versions of a block are kept. */
const sayValue = (part: Part, value: unknown): string =>
  `${part} ${JSON.stringify(isObject(value) ? { ...value, next: undefined } : value)}`;

/** Follows what was meant, and what somebody who saw it has replaced. */
const createBooks = (now: () => number) => {
  const meant = new Map<string, { tab: Tab; at: number }>();
  const replaced = new Set<string>();
  return {
    mean: (of: Tab, part: Part, value: unknown) => meant.set(sayValue(part, value), { tab: of, at: now() }),
    replace: (part: Part, value: unknown) => replaced.add(sayValue(part, value)),
    /** What a page that is killed may not have kept yet. */
    forgive: (killed: Tab) => {
      for (const [value, { tab: of, at }] of meant) if (of === killed && now() - at < mayBeLostMs) meant.delete(value);
    },
    lost: (end: ReadonlyMap<Part, unknown>) => {
      const there = new Set([...parts].map((part) => sayValue(part, end.get(part))));
      return [...meant.keys()].filter((value) => !there.has(value) && !replaced.has(value));
    },
  };
};

const run = async (actions: readonly Action[]) => {
  const world = createWorld({ revision: 1, definition: aSmallFlow() });
  const tabs = [world.open(), world.open(), world.open()];
  const books = createBooks(world.clock.now);
  let count = 0;
  const definitionOf = (of: Tab) => of.opened.session.store.getState().definition;
  const choose = (of: Tab, wanted: Choice): void => {
    const state = of.opened.session.store.getState();
    const [conflict] = state.conflicts;
    if (!conflict) return;
    const { part, theirs } = conflict;
    const choice = wanted === 'both' && !isTwofold(state, conflict) ? 'mine' : wanted;
    const mine = partsOf(state.definition).get(part);
    books.replace(part, choice === 'mine' ? theirs : mine);
    of.opened.session.choose(part, choice);
    if (choice !== 'both') return;
    const both = partsOf(definitionOf(of));
    const texts = [...both.values()].map((value) => (isObject(value) ? value['text'] : undefined));
    expect(both.get(part)).toMatchObject(isObject(theirs) ? theirs : {});
    expect(texts).toContain(isObject(mine) ? mine['text'] : undefined);
  };
  const edit = (of: Tab, part: Part, removes: boolean): void => {
    const before = partsOf(definitionOf(of)).get(part);
    const id = part.slice(part.indexOf(':') + 1);
    const stamp = `${(count += 1)}`;
    const isBlock = part.startsWith('block:');
    const value = removes && isBlock ? undefined : isBlock ? { id, type: 'send', text: stamp } : stamp;
    if (value === before) return;
    books.replace(part, before);
    books.mean(of, part, value);
    of.opened.session.edit({ label: stamp }, (definition) => putParts(definition, new Map([[part, value]])));
  };
  for (const one of actions) {
    if (one.does === 'wait') await world.pass(one.ms);
    else if (one.does === 'network') world.trips.push(...one.trips);
    else {
      const of = tabs[one.tab];
      if (!of) throw new TypeError('no such page');
      if (one.does === 'edit') edit(of, one.part, one.removes);
      else if (one.does === 'hear') of.opened.saver.hear(world.stored.read().revision);
      else if (one.does === 'leave') of.opened.saver.flush({ isLast: true });
      else if (one.does === 'choose') choose(of, one.choice);
      else {
        books.forgive(of);
        world.kill(of);
        tabs[one.tab] = world.open();
      }
    }
  }
  world.trips.length = 0;
  for (let round = 0; round < 12; round += 1) {
    for (const of of tabs) {
      of.opened.saver.hear(world.stored.read().revision);
      await world.pass(40_000);
      while (of.opened.session.store.getState().conflicts.length > 0) choose(of, 'mine');
      await world.pass(40_000);
    }
  }
  const states = tabs.map(({ opened }) => opened.session.store.getState());
  for (const of of tabs) world.kill(of);
  return { lost: books.lost(partsOf(world.stored.read().definition)), states, end: world.stored.read() };
};

test('no change to a draft is lost over delays, lost requests and answers, reloads and conflicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), async (actions) => {
      const { lost, states, end } = await run(actions);
      expect(lost).toEqual([]);
      for (const { saving, definition, base } of states) {
        expect(saving).toEqual({ is: 'saved' });
        expect(base.revision).toBe(end.revision);
        expect(definition).toEqual(end.definition);
      }
    }),
    { numRuns },
  );
});

const requireSame = (page: Tab, { definition, history }: OpenDraft): void => {
  const now = page.opened.session.store.getState();
  expect(now.definition).toEqual(definition);
  expect(now.history).toEqual(history);
};

test('a page alone never asks about its own changes, and stores what it shows, undone or not', async () => {
  const alone = fc.oneof(
    { weight: 4, arbitrary: intents.map((intent) => ({ does: 'edit' as const, intent })) },
    { weight: 2, arbitrary: fc.constant({ does: 'undo' as const }) },
    { weight: 1, arbitrary: fc.constant({ does: 'redo' as const }) },
    { weight: 3, arbitrary: fc.nat(3_000).map((ms) => ({ does: 'wait' as const, ms })) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('network' as const), trips: fc.array(trip, { maxLength: 4 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ does: 'leave' as const }) },
    { weight: 1, arbitrary: fc.constant({ does: 'reload' as const }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(alone, { maxLength: 40, size: 'max' }), async (actions) => {
      const world = createWorld({ revision: 1, definition: aSmallFlow() });
      let page = world.open();
      for (const one of actions) {
        const { session, saver, keeper } = page.opened;
        if (one.does === 'edit') session.edit({ label: one.intent.name }, one.intent.change);
        else if (one.does === 'undo') session.undo();
        else if (one.does === 'redo') session.redo();
        else if (one.does === 'wait') await world.pass(one.ms);
        else if (one.does === 'network') world.trips.push(...one.trips);
        else if (one.does === 'leave') saver.flush({ isLast: true });
        else {
          await keeper.keep();
          const before = session.store.getState();
          world.kill(page);
          page = world.open();
          requireSame(page, before);
        }
        expect(page.opened.session.store.getState().conflicts).toEqual([]);
      }
      world.trips.length = 0;
      for (let round = 0; round < 4; round += 1) {
        page.opened.saver.hear(world.stored.read().revision);
        await world.pass(40_000);
      }
      const { saving, definition, conflicts } = page.opened.session.store.getState();
      world.kill(page);
      expect(conflicts).toEqual([]);
      expect(saving).toEqual({ is: 'saved' });
      expect(diff(definition, world.stored.read().definition)).toEqual([]);
    }),
    { numRuns },
  );
});

test('undo takes back 500 changes over saves, merges and reloads, and leaves what others did', async () => {
  const meanwhile = fc.constantFrom('save', 'reload', 'merge', 'nothing', 'nothing', 'nothing');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ intent: intents, next: meanwhile }), { minLength: 500, maxLength: 500 }),
      async (all) => {
        const world = createWorld({ revision: 1, definition: aSmallFlow() });
        let page = world.open();
        const other = world.open();
        let count = 0;
        for (const [index, { intent, next }] of all.entries()) {
          const before = page.opened.session.store.getState();
          page.opened.session.edit({ label: intent.name }, intent.change);
          if (next === 'save') await world.pass(1_000);
          else if (next === 'reload') {
            await page.opened.keeper.keep();
            const { history, definition } = page.opened.session.store.getState();
            world.kill(page);
            page = world.open();
            requireSame(page, { ...before, history, definition });
          } else if (next === 'merge') {
            const note = `${(count += 1)}`;
            other.opened.session.edit({ label: note }, (now) => ({ ...now, [`note ${note}`]: note }));
            await world.pass(3_000);
            other.opened.saver.hear(world.stored.read().revision);
            page.opened.saver.hear(world.stored.read().revision);
            await world.pass(3_000);
          }
          const { history, definition } = page.opened.session.store.getState();
          if (history.done.length < mostSteps && index < all.length - 1) continue;
          for (let step = 0; step < history.done.length; step += 1) page.opened.session.undo();
          await world.pass(1_000);
          expect(page.opened.session.store.getState().history.done).toEqual([]);
          const undone = page.opened.session.store.getState().definition;
          for (let step = 0; step < history.done.length; step += 1) page.opened.session.redo();
          expect(diff(page.opened.session.store.getState().definition, definition)).toEqual([]);
          for (let step = 0; step < history.done.length; step += 1) page.opened.session.undo();
          expect(diff(page.opened.session.store.getState().definition, undone)).toEqual([]);
        }
        const { definition } = page.opened.session.store.getState();
        const notes = Array.from({ length: count }, (_, index): [string, string] => [
          `note ${index + 1}`,
          `${index + 1}`,
        ]);
        expect(diff({ ...aSmallFlow(), ...Object.fromEntries(notes) }, definition)).toEqual([]);
        for (const one of world.tabs()) world.kill(one);
      },
    ),
    { numRuns: Math.ceil(numRuns / 50), endOnFailure: true },
  );
});
