import type { ServerResponse } from 'node:http';
import { showId } from '../../shared/ids.ts';
import {
  createPresenceRegister,
  keyOf,
  type Beat,
  type Place,
  type PresenceBounds,
} from '../../shared/presence/register.ts';
import type { PresenceBody } from '../../shared/presence/schema.ts';
import { inboxSubject, isConversation } from '../../shared/presence/subjects.ts';
import type { StreamOwner } from './stream-slots.ts';
import { writePresence } from './write.ts';

export type PresenceOfStreams = {
  /** Takes what a tab says, of this process or another. */
  hear: (beat: Beat) => void;
  /** Tells a stream that begins who is where its session is. */
  greet: (stream: StreamOwner) => void;
  /** Drops those who have gone. */
  forget: () => void;
  clear: () => void;
};

type SessionOf = Pick<StreamOwner, 'accountId' | 'sessionId'>;

/** How long a change waits for others of the same subject, in ms: streams hear of a subject no more often. */
const everyMs = 100;

/**
 * Tells streams who is where. A stream hears of the subjects alone at which its own session is, in the inbox of all conversations, and so of nobody in
 * another account. `send` writes to those streams of an account that `isFor` chooses.
 */
export const createPresenceOfStreams = ({
  send,
  bounds,
  now,
}: {
  send: (accountId: string, isFor: (stream: StreamOwner) => boolean, write: (response: ServerResponse) => void) => void;
  bounds?: PresenceBounds | undefined;
  now?: (() => number) | undefined;
}): PresenceOfStreams => {
  const register = createPresenceRegister({ ...(bounds && { bounds }), ...(now && { now }) });
  const changed = new Map<string, Place>();
  let timer: NodeJS.Timeout | undefined;

  const bodyOf = (place: Place): PresenceBody => ({
    subject: place.subject,
    people: register.listAt(place).map(({ userId, tab, part }) => ({ user_id: showId('user', userId), tab, part })),
  });

  const sessionsThatHear = ({ accountId, subject }: Place): Set<string> => {
    const places = isConversation(subject) ? [subject, inboxSubject] : [subject];
    return new Set(
      places.flatMap((at) => register.listAt({ accountId, subject: at }).map(({ sessionId }) => sessionId)),
    );
  };

  /** Where a session hears who is there. */
  const placesHeardBy = ({ accountId, sessionId }: SessionOf): readonly Place[] => {
    const places = register.placesOf(sessionId);
    if (!places.some(({ subject }) => subject === inboxSubject)) return places;
    const others = places.filter(({ subject }) => !isConversation(subject));
    return [...others, ...register.placesIn(accountId).filter(({ subject }) => isConversation(subject))];
  };

  const greet = (session: SessionOf, places: readonly Place[]): void => {
    for (const place of places) {
      if (place.subject === inboxSubject) continue;
      const body = bodyOf(place);
      send(
        session.accountId,
        ({ sessionId }) => sessionId === session.sessionId,
        (response) => writePresence(response, body),
      );
    }
  };

  const tell = (): void => {
    timer = undefined;
    const places = [...changed.values()];
    changed.clear();
    for (const place of places) {
      if (place.subject === inboxSubject) continue;
      const sessions = sessionsThatHear(place);
      const body = bodyOf(place);
      send(
        place.accountId,
        ({ sessionId }) => sessions.has(sessionId),
        (response) => writePresence(response, body),
      );
    }
  };

  const note = (places: readonly Place[]): void => {
    for (const { accountId, subject } of places) changed.set(keyOf({ accountId, subject }), { accountId, subject });
    if (changed.size > 0) timer ??= setTimeout(tell, everyMs);
  };

  return {
    hear: (beat) => {
      const places = register.note(beat);
      note(places);
      if (beat.subject === inboxSubject && !beat.hasLeft && places.length > 0) greet(beat, placesHeardBy(beat));
    },
    greet: (stream) => greet(stream, placesHeardBy(stream)),
    forget: () => note(register.forget()),
    clear: () => {
      clearTimeout(timer);
      timer = undefined;
      changed.clear();
      register.clear();
    },
  };
};
