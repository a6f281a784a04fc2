import { inUnicodeForm } from '../../platform/unicode-form.ts';

/** A text as it is compared with what people type: without blanks around it, the same in upper and lower case, and in one form (NFKC). */
export const fold = (text: string): string =>
  inUnicodeForm(inUnicodeForm(text, 'NFKC').toUpperCase().toLowerCase(), 'NFKC').trim();
