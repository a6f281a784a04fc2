import { parseOrNothing } from '../../shared/platform/json/parse-or-nothing.ts';

/** Hears to which revision a conversation has come; null where each of them may have changed. */
type TalkListener = (talk: { id: string; revision: number } | null) => void;

const listeners = new Set<TalkListener>();

/** Answers what ends it. */
export const onTalk = (listener: TalkListener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const tellAll: TalkListener = (talk) => {
  for (const listener of listeners) listener(talk);
};

const isTalk = (read: unknown): read is { id: string; revision: number } =>
  typeof read === 'object' &&
  read !== null &&
  'id' in read &&
  typeof read.id === 'string' &&
  'revision' in read &&
  typeof read.revision === 'number';

/** Takes the data of an event `conversation` of the stream. */
export const hearTalk = (data: string): void => {
  const read = parseOrNothing(data);
  tellAll(isTalk(read) ? read : null);
};

/** Says that something may have been missed. */
export const tellGap = (): void => tellAll(null);
