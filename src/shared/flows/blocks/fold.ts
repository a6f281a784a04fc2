/** A text as it is compared with what people type: without blanks around it, the same in upper and lower case, and in one form (NFKC). */
export const fold = (text: string): string =>
  text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim();
