/** The most characters of a shortcut that is looked for. */
const longest = 40;

/** A shortcut that is being typed: where its slash is, and what stands behind it up to the cursor. */
export type Slash = { start: number; typed: string };

/** The shortcut at the cursor; undefined where there is none. A slash within a word or an address begins none. */
export const findSlash = (text: string, cursor: number): Slash | undefined => {
  const before = text.slice(Math.max(0, cursor - longest - 1), cursor);
  const found = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u.exec(before);
  const typed = found?.[1];
  return typed === undefined ? undefined : { start: cursor - typed.length - 1, typed };
};

/** The text with another in the place of the shortcut, and where the cursor stands then. */
export const insertAt = (
  text: string,
  { start, typed }: Slash,
  inserted: string,
): { text: string; cursor: number } => ({
  text: text.slice(0, start) + inserted + text.slice(start + 1 + typed.length),
  cursor: start + inserted.length,
});
