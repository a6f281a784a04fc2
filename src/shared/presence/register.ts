import { inboxSubject } from './subjects.ts';

/** That a tab is at a subject, or leaves it. Ids are UUIDs but for the subject, a TypeID. */
export type Beat = {
  accountId: string;
  userId: string;
  sessionId: string;
  tab: string;
  subject: string;
  part: string | null;
  hasLeft: boolean;
};

/** A tab at a subject. */
type Present = Pick<Beat, 'userId' | 'sessionId' | 'tab' | 'part'>;

/** A subject of an account. */
export type Place = Pick<Beat, 'accountId' | 'subject'>;

export type PresenceBounds = { ofSession: number; ofSubject: number; ofAccount: number; ofProcess: number };

const usualBounds: PresenceBounds = { ofSession: 8, ofSubject: 50, ofAccount: 1_000, ofProcess: 10_000 };

/** A tab that has sent no beat for this long has gone, in ms. */
export const goneAfterMs = 30_000;

export type PresenceRegister = {
  /** Takes a beat. Answers where somebody has come, gone or turned to another part. Beyond the bounds nobody new is taken. */
  note: (beat: Beat) => readonly Place[];
  /** Drops those who have sent no beat for too long. Answers where they were. */
  forget: () => readonly Place[];
  /** Who is there, the one that came first on top. */
  listAt: (place: Place) => readonly Present[];
  /** Where the tabs of a session are. */
  placesOf: (sessionId: string) => readonly Place[];
  /** Where the tabs of an account are, each place once. */
  placesIn: (accountId: string) => readonly Place[];
  clear: () => void;
  readonly size: number;
};

type Entry = Beat & { seenMs: number };

/** Keeps who is where, in memory alone. A session that goes to more subjects than it may be at leaves the one it was at longest ago. */
export const createPresenceRegister = ({
  bounds = usualBounds,
  now = () => performance.now(),
}: { bounds?: PresenceBounds; now?: () => number } = {}): PresenceRegister => {
  const all = new Set<Entry>();
  const atPlace = new Map<string, Set<Entry>>();
  const ofSession = new Map<string, Set<Entry>>();
  const ofAccount = new Map<string, Set<Entry>>();

  const indexes = (entry: Entry) =>
    [
      [atPlace, keyOf(entry)],
      [ofSession, entry.sessionId],
      [ofAccount, entry.accountId],
    ] as const;

  const add = (entry: Entry): void => {
    all.add(entry);
    for (const [index, key] of indexes(entry)) index.set(key, (index.get(key) ?? new Set()).add(entry));
  };

  const remove = (entry: Entry): void => {
    all.delete(entry);
    for (const [index, key] of indexes(entry)) {
      const rest = index.get(key);
      rest?.delete(entry);
      if (rest?.size === 0) index.delete(key);
    }
  };

  const hasRoom = ({ accountId, ...beat }: Beat): boolean =>
    all.size < bounds.ofProcess &&
    (ofAccount.get(accountId)?.size ?? 0) < bounds.ofAccount &&
    (beat.subject === inboxSubject || (atPlace.get(keyOf({ accountId, ...beat }))?.size ?? 0) < bounds.ofSubject);

  return {
    note: (beat) => {
      const own = [...(ofSession.get(beat.sessionId) ?? [])];
      const known = own.find(({ subject, tab }) => subject === beat.subject && tab === beat.tab);
      if (beat.hasLeft) {
        if (known) remove(known);
        return known ? [known] : [];
      }
      if (known) {
        known.seenMs = now();
        if (known.part === beat.part) return [];
        known.part = beat.part;
        return [known];
      }
      const left = own.length >= bounds.ofSession ? [own.toSorted((one, other) => one.seenMs - other.seenMs)[0]] : [];
      const places = left.filter((entry) => entry !== undefined);
      for (const entry of places) remove(entry);
      if (!hasRoom(beat)) return places;
      add({ ...beat, seenMs: now() });
      return [...places, beat];
    },
    forget: () => {
      const gone = [...all].filter(({ seenMs }) => seenMs <= now() - goneAfterMs);
      for (const entry of gone) remove(entry);
      return gone;
    },
    listAt: (place) => [...(atPlace.get(keyOf(place)) ?? [])],
    placesOf: (sessionId) => [...(ofSession.get(sessionId) ?? [])],
    placesIn: (accountId) => [
      ...new Map(Array.from(ofAccount.get(accountId) ?? [], (one) => [one.subject, one])).values(),
    ],
    clear: () => {
      for (const entry of all) remove(entry);
    },
    get size() {
      return all.size;
    },
  };
};

/** A place as a key of maps. Ids have no blanks. */
export const keyOf = ({ accountId, subject }: Place): string => `${accountId} ${subject}`;
