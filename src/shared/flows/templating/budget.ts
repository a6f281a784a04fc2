/** The most characters that a template may become. */
export const maxRendered = 1_048_576;

/** What one block may compute, in units: about 10 ns each, which is what a character takes to be looked at. */
export const unitsPerBlock = 4 * maxRendered;

/**
 * What has been computed and what may be, in units. They are counted and not measured, and a pattern counts once as one that nobody has compiled
 * yet: the same decisions are made wherever and whenever a block is entered.
 */
export type Budget = { spent: number; most: number; patterns: Set<string> };

export const newBudget = (): Budget => ({ spent: 0, most: unitsPerBlock, patterns: new Set() });

/** Counts what is about to be computed. False when it is more than there is: then it must not be, and nothing is left. */
export const spend = (budget: Budget, units: number): boolean => {
  const spent = budget.spent + units;
  budget.spent = Math.min(spent, budget.most);
  return spent <= budget.most;
};
