import type { Findings } from './findings.ts';

/** An argument as the program gets it, and where it begins in the text. */
export type Word = { text: string; at: number };

/** The arguments of a command, and what a here-document gives it to read. */
export type Command = { words: Word[]; stdin?: string };

/** Collects the characters of words. */
export class Words {
  readonly list: Word[] = [];
  /** The next word is the file of a redirection, and no argument. */
  dropsNext = false;
  /** The word has a `?`, as a url with parameters has. */
  hasQuery = false;
  #text = '';
  #at: number | undefined;

  get text(): string {
    return this.#text;
  }

  get isOpen(): boolean {
    return this.#at !== undefined;
  }

  add(text: string, at: number): void {
    this.#at ??= at;
    this.#text += text;
    this.hasQuery ||= text.includes('?');
  }

  /** Ends the word, and answers it. */
  finish(): string | undefined {
    if (this.#at === undefined) return undefined;
    const text = this.#text;
    if (!this.dropsNext) this.list.push({ text, at: this.#at });
    this.dropsNext = false;
    this.forget();
    return text;
  }

  forget(): void {
    this.#text = '';
    this.#at = undefined;
    this.hasQuery = false;
  }
}

const nextLineGoesOn = /\r?\n[ \t]*(?:--?[A-Za-z]|["']?https?:)/y;

/** Whether a line break that nothing escapes is one that was lost on the way here: the next line begins with an option or a url. */
export const goesOnAfter = (source: string, lineBreak: number): boolean => {
  nextLineGoesOn.lastIndex = lineBreak;
  return nextLineGoesOn.test(source);
};

/** Whether an unquoted `&` belongs to the url that it stands in, as `a=1&b=2` does. */
export const joinsParameters = (hasQuery: boolean, source: string, at: number): boolean =>
  hasQuery && /[\w%[]/.test(source[at + 1] ?? '');

/** Says that there is more than one command. */
export const noteRest = (source: string, from: number, findings: Findings): void => {
  const rest = source.slice(from, from + 200).trim();
  if (rest !== '' && rest !== '```' && rest !== ')')
    findings.note('the rest', 'is left out: a block sends one request');
};

/** As a character of a word that was meant as a quote. */
const curlyQuote = /[\u2018-\u201f]/;

/** Says that a quote is one of a word processor. */
export const findCurlyQuote = (character: string, at: number, findings: Findings): void => {
  if (curlyQuote.test(character)) findings.problem(at, `has the curly quote ${character}, where " or ' is needed`);
};
