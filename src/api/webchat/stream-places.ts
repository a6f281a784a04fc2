import { RequestError } from '../../shared/errors.ts';
import type { StreamOwner } from './visitor-stream.ts';

export type StreamBounds = { ofProcess: number; ofNetwork: number; ofVisitor: number };

/**
 * The most streams. All of a process, with those of users and ordinary requests, stay below its connections (see `listen`). A network may be an office:
 * 100 people with two browsers each find room.
 */
const usualBounds: StreamBounds = { ofProcess: 1_000, ofNetwork: 250, ofVisitor: 6 };

type Owner = Pick<StreamOwner, 'channel' | 'network' | 'visitorId'>;

/** `end` ends its stream, for another one gets the place. */
type Place = Owner & { end: () => void };

/**
 * The places for streams of visitors in a process. One account alone may have all. In a full process, a new stream gets the oldest place of the account
 * that has the most, unless its own account would then have more; and in the same way that of its account's channel that has the most. So every account
 * has an even share of the process, and every channel one of its account, as far as they need it.
 */
export const createStreamPlaces = ({ ofProcess, ofNetwork, ofVisitor }: StreamBounds = usualBounds) => {
  /** In the order in which they were taken. */
  const places = new Set<Place>();

  const count = (isCounted: (place: Place) => boolean): number => {
    let counted = 0;
    for (const place of places) if (isCounted(place)) counted += 1;
    return counted;
  };

  const findGiven = ({ channel: { id, accountId } }: Owner): Place | undefined => {
    const accounts = Map.groupBy(places, ({ channel }) => channel.accountId);
    const own = accounts.get(accountId) ?? [];
    const largest = largestOf(accounts);
    if (givesTo(own, largest)) return largestOf(channelsOf(largest))[0];
    const channels = channelsOf(own);
    const largestChannel = largestOf(channels);
    return givesTo(channels.get(id) ?? [], largestChannel) ? largestChannel[0] : undefined;
  };

  return {
    /** Takes a place, and answers what gives it back. Throws `rate_limited` where visitor or network have theirs, and `unavailable` in a full process. */
    take: (owner: Owner, end: () => void): (() => void) => {
      if (count(({ visitorId }) => visitorId === owner.visitorId) >= ofVisitor)
        throw new RequestError('rate_limited', 'Too many chats of yours are open. Close one.');
      if (count(({ network }) => network === owner.network) >= ofNetwork)
        throw new RequestError('rate_limited', 'Too many chats are open in your network. Try again later.');
      if (places.size >= ofProcess) {
        const given = findGiven(owner);
        if (!given) throw new RequestError('unavailable', 'Too many chats are open. Try again later.');
        places.delete(given);
        given.end();
      }
      const place = { ...owner, end };
      places.add(place);
      return () => void places.delete(place);
    },
  };
};

const channelsOf = (places: readonly Place[]): Map<string, Place[]> => Map.groupBy(places, ({ channel }) => channel.id);

const largestOf = (groups: ReadonlyMap<string, Place[]>): Place[] =>
  [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), []);

/** Whether the larger one still has no fewer afterwards: otherwise the place would come back with the next stream. */
const givesTo = (own: readonly Place[], larger: readonly Place[]): boolean => larger.length > own.length + 1;
