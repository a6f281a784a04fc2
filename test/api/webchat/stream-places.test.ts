import { expect, test } from 'vitest';
import { createStreamPlaces } from '../../../src/api/webchat/stream-places.ts';
import { RequestError } from '../../../src/shared/errors.ts';

/** Takes places in a process of eight, of which a network has four and a visitor two. The result of each is the refusal, or whose place it got. */
const aProcess = () => {
  const places = createStreamPlaces({ ofProcess: 8, ofNetwork: 4, ofVisitor: 2 });
  const ended: string[] = [];
  let visitors = 0;
  /** `who` is `account/channel`, with a network and a visitor of its own unless it names them. */
  const take = (who: string): { outcome: string; leave: () => void } => {
    visitors += 1;
    const [accountId = '', channel, network = `net${visitors}`, visitorId = `visitor${visitors}`] = who.split('/');
    const name = `${who} ${visitors}`;
    const owner = { channel: { id: `${accountId}/${channel}`, accountId }, network, visitorId };
    const before = ended.length;
    try {
      const leave = places.take(owner, () => void ended.push(name));
      const [given] = ended.slice(before);
      return { outcome: given === undefined ? 'free' : `that of ${given}`, leave };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { outcome: error.code, leave: () => {} };
    }
  };
  return { take };
};

const inAll = (...some: readonly (readonly [number, string])[]): string[] =>
  some.flatMap(([count, who]) => Array<string>(count).fill(who));

test.for<[title: string, taken: string[], next: string, outcome: string]>([
  ['an account alone has all places of a process', inAll([7, 'a/x']), 'a/x', 'free'],
  ['nobody has more than the process has', inAll([8, 'a/x']), 'a/x', 'unavailable'],
  ['a visitor has two', inAll([2, 'a/x/net/ada']), 'a/x/net/ada', 'rate_limited'],
  ['a network has room for several visitors', inAll([2, 'a/x/net/ada']), 'a/x/net/bob', 'free'],
  ['a network has four over all accounts', inAll([2, 'a/x/net'], [2, 'b/x/net']), 'c/x/net', 'rate_limited'],
  ['a full network takes no place of others', inAll([4, 'a/x/net'], [4, 'a/x']), 'b/x/net', 'rate_limited'],
  ['a new account gets the oldest place of another', inAll([8, 'a/x']), 'b/x', 'that of a/x 1'],
  ['it gets that of the account with the most', inAll([3, 'a/x'], [5, 'b/x']), 'c/x', 'that of b/x 4'],
  ['an account with fewer gets one of those with more', inAll([5, 'a/x'], [3, 'b/x']), 'b/x', 'that of a/x 1'],
  ['accounts with even shares leave each other theirs', inAll([4, 'a/x'], [4, 'b/x']), 'b/x', 'unavailable'],
  ['no share goes back and forth', inAll([3, 'a/x'], [3, 'b/x'], [2, 'c/x']), 'c/x', 'unavailable'],
  ['the account with the most takes none of others', inAll([5, 'a/x'], [3, 'b/x']), 'a/x', 'unavailable'],
  ['a new channel gets a place of its account', inAll([4, 'a/x'], [4, 'b/x']), 'a/y', 'that of a/x 1'],
  ['it gets that of the channel with the most', inAll([3, 'a/x'], [5, 'a/y']), 'a/z', 'that of a/y 4'],
  ['channels with even shares leave each other theirs', inAll([4, 'a/x'], [4, 'a/y']), 'a/y', 'unavailable'],
  ['another account takes of the largest channel', inAll([3, 'a/x'], [5, 'a/y']), 'b/x', 'that of a/y 4'],
  [
    'it takes of an account whose channels have one each',
    ['a/s', 'a/t', 'a/u', 'a/v', 'b/x', 'b/x', 'c/x', 'd/x'],
    'e/x',
    'that of a/s 1',
  ],
])('%s', ([, taken, next, outcome]) => {
  const { take } = aProcess();
  for (const who of taken) expect(take(who).outcome).toBe('free');
  expect(take(next).outcome).toBe(outcome);
});

test('a place that is given back, or was given to another, is free once', () => {
  const { take } = aProcess();
  const [first, ...others] = inAll([8, 'a/x']).map(take);
  expect(take('b/x').outcome).toBe('that of a/x 1');
  expect(take('b/x').outcome).toBe('that of a/x 2');
  first?.leave();
  expect(take('a/x').outcome).toBe('unavailable');
  others.at(-1)?.leave();
  others.at(-1)?.leave();
  expect(take('a/x').outcome).toBe('free');
  expect(take('a/x').outcome).toBe('unavailable');
});
