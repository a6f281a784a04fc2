/**
 * The form in which an e-mail address is stored, found and counted: A to Z in lower case. Other letters stay as they are, because languages
 * and PostgreSQL's locales differ in their lower case. `lower(email collate "C")` is the same in SQL.
 */
export const normalizeEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
