import { useCallback, useEffect, useId, useSyncExternalStore } from 'react';
import { client, type Schemas } from '../api/client.ts';
import { newRandomId } from '../parts/random-id.ts';

/** A tab that shows the same: of a colleague, or another one of this user. */
export type Present = { userId: string; tab: string; part: string | null };

/** How often a tab says that it is there, in ms. The server forgets it after three times as long. */
const beatEveryMs = 10_000;

/** How long the part has to stay the same before the page sends it, in ms: who clicks through blocks sends one request. */
const settleMs = 300;

/** What this tab calls itself. */
const ownTab = newRandomId();

const nobody: readonly Present[] = [];

/** The subject of lists of conversations: the stream tells who is at each conversation. */
const inbox = 'inbox';

/** Who is where, as the stream told it last. Only subjects that are shown are kept, and with the inbox all conversations at which somebody is. */
const people = new Map<string, readonly Present[]>();

/** What is shown, and which parts of it are edited, by who shows it. */
const shown = new Map<string, Map<string, string | null>>();

const listeners = new Set<() => void>();

const tellAll = (): void => {
  for (const tell of listeners) tell();
};

const partOf = (subject: string): string | null =>
  [...(shown.get(subject)?.values() ?? [])].findLast((part) => part !== null) ?? null;

/** A beat that is lost is made up for by the next one. */
const beat = (subject: string): void => {
  const params = { path: { subject, tab: ownTab } };
  client.PUT('/presence/{subject}/{tab}', { params, body: { part: partOf(subject) } }).catch(() => {});
};

const leave = (subject: string): void => {
  const params = { path: { subject, tab: ownTab } };
  client.DELETE('/presence/{subject}/{tab}', { params, keepalive: true }).catch(() => {});
};

/** Says again where this tab is. Nobody looks at a hidden one, whose timers the browser makes rare. */
export const beatAgain = (): void => {
  if (!document.hidden) for (const subject of shown.keys()) beat(subject);
};

const settling = new Map<string, ReturnType<typeof setTimeout>>();

const beatSoon = (subject: string): void => {
  clearTimeout(settling.get(subject));
  settling.set(
    subject,
    setTimeout(() => {
      settling.delete(subject);
      if (shown.has(subject)) beat(subject);
    }, settleMs),
  );
};

let beating: ReturnType<typeof setInterval> | undefined;

const leaveAll = (): void => {
  for (const subject of shown.keys()) leave(subject);
};

const beatWhenSeen = (): void => {
  if (document.hidden) leaveAll();
  else beatAgain();
};

const show = (subject: string, by: string, part: string | null): void => {
  const parts = shown.get(subject) ?? new Map<string, string | null>();
  const isNew = parts.size === 0;
  shown.set(subject, parts.set(by, part));
  if (isNew) beat(subject);
  else beatSoon(subject);
  if (beating) return;
  beating = setInterval(beatAgain, beatEveryMs);
  document.addEventListener('visibilitychange', beatWhenSeen);
  window.addEventListener('pagehide', leaveAll);
};

const hide = (subject: string, by: string): void => {
  const parts = shown.get(subject);
  parts?.delete(by);
  if (!parts || parts.size > 0) return beatSoon(subject);
  shown.delete(subject);
  leave(subject);
  forgetUnshown();
  if (shown.size > 0) return;
  clearInterval(beating);
  beating = undefined;
  document.removeEventListener('visibilitychange', beatWhenSeen);
  window.removeEventListener('pagehide', leaveAll);
};

const isKept = (subject: string): boolean => shown.has(subject) || (shown.has(inbox) && subject.startsWith('cnv_'));

const forgetUnshown = (): void => {
  for (const subject of people.keys()) if (!isKept(subject)) people.delete(subject);
};

const isPresence = (read: unknown): read is Schemas['Presence'] =>
  typeof read === 'object' && read !== null && 'subject' in read && 'people' in read && Array.isArray(read.people);

/** Takes the data of an event `presence` of the stream. */
export const hearPresence = (data: string): void => {
  const read: unknown = JSON.parse(data);
  if (!isPresence(read) || !isKept(read.subject)) return;
  const others = read.people.filter(({ tab }) => tab !== ownTab);
  if (others.length === 0) people.delete(read.subject);
  else {
    people.set(
      read.subject,
      others.map(({ user_id: userId, tab, part }) => ({ userId, tab, part })),
    );
  }
  tellAll();
};

/** The stream has begun again: it tells of nobody who has gone meanwhile. */
export const forgetPresence = (): void => {
  people.clear();
  tellAll();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Says that this tab shows `subject`, the id of a flow, conversation or contact, and edits `part` of it, in a flow the id of a block. Answers the other
 * tabs that show it, each with its user. Several components may call it for the same subject: the last part that is not null counts.
 */
export const usePresence = (subject: string, part: string | null = null): readonly Present[] => {
  const by = useId();
  useEffect(() => show(subject, by, part), [subject, by, part]);
  useEffect(() => () => hide(subject, by), [subject, by]);
  return usePresentAt(subject);
};

/** Has this tab hear who is at which conversation, for the rows of a list: `usePresentAt` of each. */
export const useInboxPresence = (): void => void usePresence(inbox);

/** The other tabs at a subject, without being at it; the part of one who types is `reply` or `note`. Only within `useInboxPresence` or `usePresence`. */
export const usePresentAt = (subject: string): readonly Present[] =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => people.get(subject) ?? nobody, [subject]),
  );
