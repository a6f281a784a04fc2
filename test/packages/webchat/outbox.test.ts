import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

/** As the session does when the connection is back. */
const backAgain = async ({ outbox, network }: ReturnType<typeof open>): Promise<void> => {
  network.failure = undefined;
  await vi.advanceTimersByTimeAsync(hours);
  outbox.wake();
  await vi.advanceTimersByTimeAsync(hours);
};

describe('messages that wait through an outage go in their order,', () => {
  test.for(Array.from({ length: 14 }, (_, nth) => (nth + 1) * 5))('after %i s of it', async (seconds) => {
    const opened = open();
    const { outbox, sent, network } = opened;
    network.failure = new RequestFailure(503, '');
    outbox.add('first');
    await vi.advanceTimersByTimeAsync(500);
    outbox.add('second');
    outbox.add('third');
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    await backAgain(opened);
    expect(sent).toEqual(['first', 'second', 'third']);
  });

  test('also where the visitor tries the last one again by hand', async () => {
    const opened = open();
    const { outbox, sent, network } = opened;
    network.failure = new RequestFailure(0, '');
    for (const text of ['first', 'second', 'third']) outbox.add(text);
    await vi.advanceTimersByTimeAsync(hours);
    expect(outbox.list().map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
    network.failure = undefined;
    outbox.retry(outbox.list()[2]?.clientId ?? '');
    await vi.advanceTimersByTimeAsync(hours);
    expect(sent).toEqual(['first', 'second', 'third']);
  });
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
