import { isDate } from '../../custom-fields/dates.ts';
import { inUnicodeForm } from '../../platform/unicode-form.ts';
import { unreachable } from '../../unreachable.ts';
import { fold } from './fold.ts';

/** What an ask takes for an answer. */
export const expectations = ['text', 'number', 'email', 'phone', 'date', 'choice', 'any'] as const;

export type Expectation = (typeof expectations)[number];

/** One of the answers to choose from. */
export type Choice = { label: string; value: string };

/** What a contact meant by a reply, in a form that a field can hold; undefined when it is no such answer. */
export const readAnswer = (
  expects: Expectation,
  reply: string,
  choices: readonly Choice[],
): string | number | undefined => {
  const text = inUnicodeForm(reply, 'NFKC').trim();
  switch (expects) {
    case 'any':
      return reply;
    case 'text':
      return reply.trim() === '' ? undefined : reply.trim();
    case 'number':
      return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'email':
      return text.length <= 254 && /^[^\s@<>(),;:"[\]\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) ? text : undefined;
    case 'phone':
      return readPhone(text);
    case 'date':
      return readDate(text);
    case 'choice':
      return findChoice(text, choices)?.value;
    default:
      return unreachable(expects);
  }
};

/** By its label, else by its value, else by its number, from 1 on. */
const findChoice = (text: string, choices: readonly Choice[]): Choice | undefined => {
  const folded = fold(text);
  return (
    choices.find(({ label }) => fold(label) === folded) ??
    choices.find(({ value }) => fold(value) === folded) ??
    (/^\d{1,3}$/.test(folded) ? choices[Number(folded) - 1] : undefined)
  );
};

/** In international form: nobody knows which country a number without it is of. */
const readPhone = (text: string): string | undefined => {
  const digits = text.replace(/[\s()./-]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
};

/** `2026-03-29`, or day, month and year with dots. Slashes mean different days in different countries. */
const readDate = (text: string): string | undefined => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? [];
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(iso) ? iso : undefined;
};
