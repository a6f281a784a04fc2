/**
 * The one form in which an e-mail address is stored, found and counted: A to Z in lower case. Nothing else is changed, for
 * languages, and PostgreSQL's locales, differ in what they do to other letters. `lower(email collate "C")` is the same in SQL.
 */
export const normalizeEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
