/** The colours by which people and things are told apart; a page decides how each looks. */
export const hues = ['teal', 'iris', 'blue', 'green', 'amber', 'coral', 'pink', 'slate'] as const;

export type Hue = (typeof hues)[number];

/** The colour of a shown id: always the same, and spread over all of them. */
export const hueOf = (id: string): Hue => {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return hues[sum % hues.length] ?? 'slate';
};
