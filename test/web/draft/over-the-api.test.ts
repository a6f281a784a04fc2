import { expect, test } from 'vitest';
import { equal } from '../../../src/web/pages/flows/draft/equal.ts';
import { openDraft } from '../../../src/web/pages/flows/draft/open.ts';
import { putParts } from '../../../src/web/pages/flows/draft/parts.ts';
import type { DraftServer } from '../../../src/web/pages/flows/draft/saver.ts';
import type { Clock } from '../../../src/web/pages/flows/draft/session.ts';
import { useApi } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../../helpers/flows.ts';
import { names } from './world.ts';

const api = await useApi();

const clock: Clock = {
  now: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

test('two pages over the real API merge different blocks, and ask about the same one', async () => {
  const { create, draft, save } = flowCalls(api, await api.createAccount());
  const { id } = await create(
    aFlowDefinition({
      blocks: [
        { id: 'a', type: 'send', messages: [{ text: 'A' }], extra: 12_345_678_901 },
        { id: 'b', type: 'send', messages: [{ text: 'B' }] },
      ],
    }),
  );
  const server: DraftServer = {
    read: async () => {
      const { body } = await draft(id);
      return { is: 'read', stored: body, issues: [] };
    },
    store: async ({ revision, definition }) => {
      const { status, body } = await save(id, definition, { 'if-match': `"${revision}"` });
      if (status === 412) return { is: 'changed' };
      expect(status).toBe(200);
      return { is: 'stored', revision: body.revision, issues: [] };
    },
  };
  const open = async () => {
    const found = { kept: [], stored: { stored: (await draft(id)).body, issues: [] } };
    const opened = openDraft(found, { server, place: { write: async () => {} }, clock, names });
    if (!opened) throw new TypeError('a draft is stored');
    const say = (block: string, text: string): void =>
      opened.session.edit({ label: text }, (now) =>
        putParts(now, new Map([[`block:${block}`, { id: block, type: 'send', messages: [{ text }] }]])),
      );
    return { ...opened, say, state: opened.session.store.getState };
  };
  const [ana, ben] = [await open(), await open()];
  ana.say('a', 'By Ana');
  ben.say('b', 'By Ben');
  await ana.saver.settle();
  await ben.saver.settle();
  const merged = (await draft(id)).body;
  expect(JSON.stringify(merged.definition)).toMatch(/By Ana.*By Ben/);
  expect(equal(merged.definition, ben.state().definition)).toBe(true);
  ana.say('b', 'Also Ana');
  await ana.saver.settle();
  expect(ana.state().saving).toEqual({ is: 'conflict' });
  expect(ana.state().conflicts.map(({ part }) => part)).toEqual(['block:b']);
  ana.session.choose('block:b', 'mine');
  await ana.saver.settle();
  expect(ana.state().saving).toEqual({ is: 'saved' });
  expect(JSON.stringify((await draft(id)).body.definition)).toMatch(/By Ana.*Also Ana/);
  for (const { saver, keeper } of [ana, ben]) {
    saver.stop();
    keeper.stop();
  }
});
