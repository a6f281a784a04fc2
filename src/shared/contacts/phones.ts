import { findDefaultCountry } from '../accounts/queries.ts';
import { invalid, type Problem } from '../errors.ts';
import type { Sql } from '../platform/db/connect.ts';
import { plusHint } from './schema.ts';
import {
  isInternational,
  mayBeginPhone,
  phoneBeginnings,
  phoneForms,
  phoneProblem,
  readPhone,
} from '../typed/phone.ts';

type WithPhone = { readonly phone?: string | null | undefined };

/** The country that a number is read with: it is looked up only where the number needs one. */
const countryFor = async (sql: Sql, accountId: string, phone: string): Promise<string | null> =>
  isInternational(phone) ? null : findDefaultCountry(sql, accountId);

/** What a request says of a contact, with its phone number in international form. Throws `invalid_request` for what is no number. */
export const withPhone = async <Given extends WithPhone>(sql: Sql, accountId: string, given: Given): Promise<Given> => {
  const { phone } = given;
  if (typeof phone !== 'string') return given;
  const number = readPhone(phone, await countryFor(sql, accountId, phone));
  if (number === undefined) throw invalid({ path: 'phone', message: phoneProblem });
  return { ...given, phone: number };
};

/** The problem of a phone number in a request, if it is none. */
export const findPhoneProblems = async (sql: Sql, accountId: string, phone: string): Promise<Problem[]> => {
  const number = readPhone(phone, await countryFor(sql, accountId, phone));
  return number === undefined ? [{ path: 'phone', message: phoneProblem }] : [];
};

/**
 * The forms in which contacts of the account may have a number: as it is read now, and as it was stored before. Throws `invalid_request` for what
 * is no number; `path` is where the request has it.
 */
export const getPhoneForms = async (
  sql: Sql,
  accountId: string,
  { phone, path }: { phone: string; path: string },
): Promise<string[]> => {
  const country = await countryFor(sql, accountId, phone);
  if (readPhone(phone, country) === undefined) throw invalid({ path, message: `${phoneProblem}; ${plusHint}` });
  return phoneForms(phone, country);
};

/** The beginnings in which contacts of the account may have a number that is searched by its beginning; a text that may be none is its only one. */
export const getPhoneBeginnings = async (sql: Sql, accountId: string, text: string): Promise<string[]> =>
  phoneBeginnings(text, mayBeginPhone(text) ? await countryFor(sql, accountId, text) : null);
