/** How the texts of an account are worded. */
export type Wording = (text: string) => string;

/** An attribute of all elements that would be there if markup in a text came alive. */
export const aliveMark = 'data-alive';

/** Texts as an attacker writes them: elements, quotes, and a word that no column is wide enough for. */
export const asMarkup: Wording = (text) =>
  `${text} <img src=x ${aliveMark} onerror=alert(1)> <script ${aliveMark}>alert(1)</script> "it's" Donaudampfschifffahrtsgesellschaft`;

/** Texts as people write them. */
export const asWritten: Wording = (text) => text;
