import { isDate } from '../../times/read-time.ts';
import { readPhone } from '../../typed/phone.ts';
import { foldStably, foldTyped, readTyped, withoutPunctuation } from '../../typed/text.ts';
import { unreachable } from '../../unreachable.ts';

/** What an ask takes for an answer in words. */
export const expectations = ['text', 'number', 'email', 'phone', 'date', 'choice', 'any'] as const;

export type Expectation = (typeof expectations)[number];

/** One of the answers to choose from. */
export type Choice = { label: string; value: string };

/**
 * What a contact meant by a reply, in a form that a field can hold; undefined when it is no such answer. `v` is the meaning of the block: before 3,
 * a choice with ″, ‴ or ŉ was not found by its own label.
 */
export const readAnswer = (
  expects: Expectation,
  reply: string,
  { choices, country, v }: { choices: readonly Choice[]; country: string | null; v: number },
): string | number | undefined => {
  const text = readTyped(reply);
  const bare = withoutPunctuation(text);
  switch (expects) {
    case 'any':
      return reply;
    case 'text':
      return text === '' ? undefined : reply.trim();
    case 'number':
      return readNumber(bare);
    case 'email':
      return readEmail(bare);
    case 'phone':
      return readPhone(bare, country);
    case 'date':
      return readDate(bare);
    case 'choice':
      return (v < 3 ? findChoice(text, choices, foldTyped) : findChoice(reply, choices, foldStably))?.value;
    default:
      return unreachable(expects);
  }
};

/** By its label, else by its value, in both cases first as it is and then without the punctuation around it; else by its number, from 1 on. */
const findChoice = (text: string, choices: readonly Choice[], fold: (text: string) => string): Choice | undefined => {
  const folded = fold(text);
  const bare = withoutPunctuation(folded);
  const read = choices.map((choice) => ({ choice, label: fold(choice.label), value: fold(choice.value) }));
  const found =
    read.find(({ label }) => label === folded) ??
    read.find(({ value }) => value === folded) ??
    read.find(({ label }) => withoutPunctuation(label) === bare) ??
    read.find(({ value }) => withoutPunctuation(value) === bare);
  return found?.choice ?? (/^\d{1,3}$/.test(bare) ? choices[Number(bare) - 1] : undefined);
};

/** With a point for its fraction, which Arabic has a character of its own for. */
const readNumber = (text: string): number | undefined => {
  const number = text.replace('\u066B', '.');
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(number) ? Number(number) : undefined;
};

const readEmail = (text: string): string | undefined =>
  text.length <= 254 && /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) ? text : undefined;

/** `2026-03-29`, or day, month and year with dots. Slashes mean different days in different countries. */
const readDate = (text: string): string | undefined => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? [];
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(iso) ? iso : undefined;
};
