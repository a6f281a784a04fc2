import { defaultTexts, type TextName } from './default-texts.ts';

export type Texts = Record<TextName, string>;

/** The channel's own texts, and the chat's where it has none. */
export const textsOf = (own: Record<string, string>): Texts =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries are those of the defaults
  Object.fromEntries(Object.entries(defaultTexts).map(([key, text]) => [key, own[key] || text])) as Texts;

/** The visitor's region of the texts' language, such as en-GB, so that times are as they know them. */
export const localeOf = (language: string, known: readonly string[]): string => {
  const locale = known.find((one) => one === language || one.startsWith(`${language}-`)) ?? language;
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
};
