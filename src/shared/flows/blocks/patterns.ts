import { RE2JS } from 're2js';
import { createMemo } from '../../platform/memo.ts';
import { spend, type Budget } from '../templating/budget.ts';

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

/** What a character of a pattern takes to be compiled, and one of a text for each instruction of the program, in units of a budget. */
const units = { compile: 800, match: 3 } as const;

/**
 * Whether a text has a match somewhere, in a time that grows with its length alone; undefined where that takes more than the budget has. False
 * for a pattern that is none.
 */
export const matchesPattern = (pattern: string, text: string, budget: Budget): boolean | undefined => {
  if (!budget.patterns.has(pattern) && !spend(budget, units.compile * pattern.length)) return undefined;
  budget.patterns.add(pattern);
  if (findPatternFault(pattern) !== undefined) return false;
  const regex = compile(pattern);
  const searched = text.slice(0, patternLimits.text);
  return spend(budget, units.match * regex.programSize() * searched.length)
    ? regex.matcher(searched).find()
    : undefined;
};

/** Compiling is slow: the patterns in use are kept. */
const compile = createMemo(500, (pattern) => RE2JS.compile(pattern));
