import { useSyncExternalStore } from 'react';
import { parseOrNothing } from '../../shared/platform/json/parse-or-nothing.ts';

/** So long after the last event a contact types no more, in ms: whoever goes on says so every few seconds. */
const forgottenMs = 10_000;

/** The conversations in which contacts type, and what forgets each. */
const typing = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

const tellAll = (): void => {
  for (const tell of listeners) tell();
};

const forget = (id: string): void => {
  clearTimeout(typing.get(id));
  if (typing.delete(id)) tellAll();
};

const isHint = (read: unknown): read is { id: string; is_typing: boolean } =>
  typeof read === 'object' && read !== null && 'id' in read && typeof read.id === 'string' && 'is_typing' in read;

/** Takes the data of an event `typing` of the stream. */
export const hearTyping = (data: string): void => {
  const read = parseOrNothing(data);
  if (!isHint(read)) return;
  const { id, is_typing: isTyping } = read;
  if (!isTyping) return forget(id);
  const isNew = !typing.has(id);
  clearTimeout(typing.get(id));
  typing.set(id, setTimeout(forget, forgottenMs, id));
  if (isNew) tellAll();
};

/** Nobody tells any more who types. */
export const forgetTyping = (): void => {
  for (const timer of typing.values()) clearTimeout(timer);
  typing.clear();
  tellAll();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether the contact of a conversation types now. Rows of a list may call it, too. */
export const useIsContactTyping = (conversationId: string): boolean =>
  useSyncExternalStore(subscribe, () => typing.has(conversationId));
