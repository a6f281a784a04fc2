import { locale } from '../../../locale.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { findBlock, textOf } from '../edits/blocks.ts';

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dayAndClock = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const withYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** The time of day, with the day, and the year, where they are other ones than those of `from`. Both are ISO 8601; the user's zone. */
export const sayClock = (at: string, from: string): string => {
  const [then, now] = [new Date(at), new Date(from)];
  if (then.toDateString() === now.toDateString()) return clock.format(then);
  return (then.getFullYear() === now.getFullYear() ? dayAndClock : withYear).format(then);
};

/** What a block is called: its name, else its id. */
export const titleOf = (definition: AnyDefinition, blockId: string): string => {
  const block = findBlock(definition, blockId);
  return (block && textOf(block, 'name').trim()) || blockId;
};

/** A value in a few words, as JSON unless it is a text. */
export const sayValue = (value: unknown, most = 80): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= most ? text : `${text.slice(0, most)}…`;
};

/** ISO 8601 of a span from now on, in whole seconds and at most a year, as the API takes it. */
export const durationOf = (ms: number): string => `PT${Math.min(Math.max(1, Math.ceil(ms / 1_000)), 365 * 86_400)}S`;
