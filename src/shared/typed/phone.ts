import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
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
  const typed = readTyped(text).replace(/^tel:/i, '');
  if (typed.length > phoneLength || !isNumberLike.test(typed)) return undefined;
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

/** Digits, and what people put between them. */
const isNumberLike = /^\+?[\d ()./-]+$/;

const withoutMarks = (text: string): string => text.replace(/[ ()./-]/g, '').replace(/^00/, '+');

/** The forms in which a number may be stored: as it is read, and as it was read before, or given. The text alone where it is no number. */
export const phoneForms = (text: string, country: string | null): string[] => {
  const read = readPhone(text, country);
  return [...new Set([...(read === undefined ? [] : [read]), withoutMarks(readTyped(text)), text])];
};

/** Whether a number needs no country to be read. */
export const isInternational = (text: string): boolean => readPhone(text, null) !== undefined;
