import { RE2JS } from 're2js';

/**
 * The longest pattern, the largest program that one may become, and how much of a text it looks at: a match takes time in proportion to
 * their product, about 10 ms at the most. So many there may be in a block.
 */
export const patternLimits = { characters: 200, program: 200, text: 1_000, perBlock: 5 } as const;

/** What is wrong with a regular expression; undefined when nothing is. */
export const findPatternFault = (pattern: string): string | undefined => {
  if (pattern.length > patternLimits.characters) return `must have at most ${patternLimits.characters} characters`;
  try {
    const size = compile(pattern).programSize();
    return size > patternLimits.program ? 'is too large: its repetitions multiply' : undefined;
  } catch {
    return 'is not a regular expression of RE2: there are no look-arounds and no back-references';
  }
};

/** Whether a text has a match somewhere, in a time that grows with its length alone. False for a pattern that is none. */
export const matchesPattern = (pattern: string, text: string): boolean =>
  findPatternFault(pattern) === undefined && compile(pattern).matcher(text.slice(0, patternLimits.text)).find();

/** Compiling is slow: the patterns in use are kept. */
const compile = (pattern: string): RE2JS => {
  const known = compiled.get(pattern);
  if (known) return known;
  if (compiled.size >= 500) compiled.clear();
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
};

const compiled = new Map<string, RE2JS>();
