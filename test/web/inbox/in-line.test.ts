import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../src/web/api/failure.ts';
import { inLine, insist } from '../../../src/web/pages/inbox/composer/in-line.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The window, as far as it tells that the network is back. */
const network = new EventTarget();

/** Work that ends when the test says so, and notes in `done` that it has begun and ended. */
const workIn = (done: string[]) => (name: string) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    done.push(`${name} begins`);
    await promise;
    done.push(`${name} ends`);
  };
  return { work, end: resolve };
};

/** Lets everything happen that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the replies of a conversation', () => {
  test('are sent one after the other, in the order in which they were given', async () => {
    const done: string[] = [];
    const works = ['first', 'second', 'third'].map(workIn(done));
    const all = works.map(({ work }) => inLine('one', work));
    // The last may end first.
    for (const { end } of works.toReversed()) {
      end();
      await settle();
    }
    await Promise.all(all);
    const both = (name: string) => [`${name} begins`, `${name} ends`];
    expect(done).toEqual([...both('first'), ...both('second'), ...both('third')]);
  });

  test('resolve each with its own end, not with that of the whole line', async () => {
    const done: string[] = [];
    const [first, second] = [workIn(done)('first'), workIn(done)('second')];
    const sent = inLine('one', first.work);
    void inLine('one', second.work);
    first.end();
    await sent;
    await settle();
    expect(done).toEqual(['first begins', 'first ends', 'second begins']);
    second.end();
    await settle();
  });

  test('wait for no other conversation', async () => {
    const done: string[] = [];
    const [slow, other] = [workIn(done)('slow'), workIn(done)('other')];
    void inLine('one', slow.work);
    const sent = inLine('two', other.work);
    other.end();
    await sent;
    expect(done).toEqual(['slow begins', 'other begins', 'other ends']);
    slow.end();
    await settle();
  });

  test('begin at once when the line is empty again', async () => {
    const done: string[] = [];
    for (const name of ['first', 'second']) {
      const { work, end } = workIn(done)(name);
      end();
      await inLine('one', work);
    }
    expect(done).toHaveLength(4);
  });
});

const refusal = (status: number) => new ApiFailure(status, {}, undefined);

/** Work that fails as often as there are errors, and then succeeds; counts its tries. */
const failing = (...errors: Error[]) => {
  const left = [...errors];
  return vi.fn<() => Promise<void>>(async () => {
    const error = left.shift();
    if (error) throw error;
  });
};

/** What something that does not succeed comes to. */
const errorOf = (sent: Promise<void>): Promise<unknown> =>
  sent.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );

describe('a reply that is not taken', () => {
  test.each([
    ['no answer came', new TypeError('Failed to fetch')],
    ['the service is away', refusal(503)],
    ['too much was asked', refusal(429)],
  ])('is sent again after half a second where %s', async (_, error) => {
    const work = failing(error);
    const sent = insist(network, work);
    await vi.advanceTimersByTimeAsync(499);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await sent;
    expect(work).toHaveBeenCalledTimes(2);
  });

  test.each([400, 401, 403, 404, 409, 413, 422])('is sent once where it is refused with %i', async (status) => {
    const work = failing(refusal(status));
    const refused = errorOf(insist(network, work));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await refused).toMatchObject({ status });
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('is sent again as soon as the network is back', async () => {
    const work = failing(...[1, 2, 3, 4, 5].map(() => new TypeError('Failed to fetch')));
    const sent = insist(network, work);
    for (let tries = 1; tries <= 5; tries += 1) {
      await settle();
      expect(work).toHaveBeenCalledTimes(tries);
      network.dispatchEvent(new Event('online'));
    }
    await sent;
    expect(work).toHaveBeenCalledTimes(6);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is given up after a minute, with the error of its last try', async () => {
    const errors = Array.from({ length: 11 }, (_, index) => refusal(500 + index));
    const work = failing(...errors);
    const refused = errorOf(insist(network, work));
    await vi.advanceTimersByTimeAsync(55_000);
    expect(work.mock.calls.length).toBeLessThan(11);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await refused).toMatchObject({ status: 510 });
    expect(work).toHaveBeenCalledTimes(11);
  });
});
