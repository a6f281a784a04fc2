import { AsYouType, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneLength } from './phone-length.ts';
import { readTyped } from './text.ts';

// The metadata `min` reads numbers of all countries as `max` does, in half the size. It only says less well which of them are in use, and nobody
// is refused for that: numbering plans change.

/** What is said of a text that is no phone number. */
export const phoneProblem =
  'must be in international form, as "+4915112345678", or a number of the account\'s default_country';

/** In international form (E.164). */
const international = /^\+[1-9]\d{6,14}$/;

/**
 * A phone number in international form, however it is written: `+44 (0)20 7946 0958` is +442079460958. A national one is read as one of the
 * country (ISO 3166-1 alpha-2); without a country a number needs its + or 00. Undefined for what is no number.
 */
export const readPhone = (text: string, country: string | null): string | undefined => {
  const typed = readMarksOf(text);
  if (typed === undefined) return undefined;
  const plain = withoutMarks(typed);
  // A number of a plan that is not known here stays as it is.
  const number = readNational(typed, country) ?? possible(plain) ?? plain;
  return international.test(number) ? number : undefined;
};

/** As a number of the country; what has the code of another one is read by that. */
const readNational = (typed: string, country: string | null): string | undefined => {
  if (country === null || !isSupportedCountry(country)) return undefined;
  const read = parsePhoneNumberFromString(typed, { defaultCountry: country, extract: false });
  return withCode(withoutMarks(typed), read?.countryCallingCode) ?? (read?.isPossible() ? read.number : undefined);
};

const possible = (number: string): string | undefined => {
  const read = parsePhoneNumberFromString(number, { extract: false });
  return read?.isPossible() ? read.number : undefined;
};

/** A national number is not longer than this. One that is and begins with the code of its country only lacks its +. */
const longestNational = 11;

const withCode = (digits: string, code: string | undefined): string | undefined =>
  code !== undefined && digits.length > longestNational && digits.startsWith(code) ? possible(`+${digits}`) : undefined;

/** The text of what may be a number, or undefined. */
const readMarksOf = (text: string): string | undefined => {
  const typed = readTyped(text).replace(/^tel:/i, '');
  return typed.length <= phoneLength && isNumberLike.test(typed) ? typed : undefined;
};

/** Digits, and what people put between them. */
const isNumberLike = /^\+?[\d ()./-]+$/;

const withoutMarks = (text: string): string => text.replace(/[ ()./-]/g, '').replace(/^00/, '+');

/** The forms in which a number may be stored: as it is read, and as it was read before, or given. The text alone where it is no number. */
export const phoneForms = (text: string, country: string | null): string[] => {
  const read = readPhone(text, country);
  return [...new Set([...(read === undefined ? [] : [read]), withoutMarks(readTyped(text)), text])];
};

/** With fewer digits most numbers of a country would begin so. */
const leastDigits = 3;

/** Whether a text is long enough to tell numbers apart by their beginning. */
export const mayBeginPhone = (text: string): boolean =>
  (readMarksOf(text)?.replace(/\D/g, '').length ?? 0) >= leastDigits;

/**
 * The beginnings of the stored forms of the numbers that begin with a text: `0151 23` is +4915123 in Germany. A text that may be no number is its
 * only one. No beginning begins with another.
 */
export const phoneBeginnings = (text: string, country: string | null): string[] => {
  if (!mayBeginPhone(text)) return [text];
  const forms = phoneForms(text, country);
  const begun = beginNumber(withoutMarks(readTyped(text)), country);
  const all = new Set(begun === undefined ? forms : [begun, ...forms]);
  return [...all].filter((one) => ![...all].some((other) => other !== one && one.startsWith(other)));
};

/** The international form of a number that is not complete, as far as it goes. */
const beginNumber = (plain: string, country: string | null): string | undefined => {
  const reader = new AsYouType(country !== null && isSupportedCountry(country) ? country : undefined);
  reader.input(plain);
  return reader.getNumberValue();
};

/** Whether a number needs no country to be read. */
export const isInternational = (text: string): boolean => readPhone(text, null) !== undefined;
