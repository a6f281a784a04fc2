import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RequestFailure } from '../../../packages/webchat/src/live/request-failure.ts';
import { createOutbox } from '../../../packages/webchat/src/thread/outbox.ts';
import { createStore } from '../../../packages/webchat/src/store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hours = 3_600_000;

const open = () => {
  const sent: string[] = [];
  const network = { failure: undefined as RequestFailure | undefined };
  const outbox = createOutbox({
    store: createStore('chn_test', () => {
      throw new Error('this browser keeps nothing');
    }),
    send: async ({ text }) => {
      if (network.failure) throw network.failure;
      sent.push(text);
    },
    alone: (work) => work(),
    changed: () => {},
  });
  return { outbox, sent, network };
};

test('what was given up without an answer goes before what is written later', async () => {
  const { outbox, sent, network } = open();
  network.failure = new RequestFailure(0, '');
  outbox.add('first');
  await vi.advanceTimersByTimeAsync(hours);
  expect(outbox.list().map(({ state }) => state)).toEqual(['failed']);
  network.failure = undefined;
  outbox.add('second');
  await vi.advanceTimersByTimeAsync(hours);
  expect(sent).toEqual(['first', 'second']);
});

test('what the server has refused waits for its author, and holds up nothing that is written later', async () => {
  const { outbox, sent, network } = open();
  network.failure = new RequestFailure(413, 'Too long.');
  outbox.add('first');
  await vi.advanceTimersByTimeAsync(hours);
  network.failure = undefined;
  outbox.add('second');
  await vi.advanceTimersByTimeAsync(hours);
  expect(sent).toEqual(['second']);
  expect(outbox.list().map(({ text, reason }) => [text, reason])).toEqual([['first', 'too_large']]);
});
