import { inUnicodeForm } from '../platform/unicode-form.ts';

/**
 * The name by which tags are told apart: without blanks around it, in one form (NFC), and each letter in lower case by itself, as PostgreSQL's
 * `lower` has it. JavaScript alone writes a sigma by its place in the word, and İ as two letters.
 */
export const foldTag = (name: string): string =>
  inUnicodeForm(name.trim(), 'NFC').replace(/./gsu, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase()));
