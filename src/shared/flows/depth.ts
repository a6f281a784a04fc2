/** How deeply objects and lists lie in one another; 1 for a flat one. It walks without recursion, because a value may be nested very deeply. */
export const depthOf = (value: unknown): number => {
  let depth = 0;
  let level = [value].filter(isNested);
  while (level.length > 0) {
    depth += 1;
    level = level.flatMap((nested) => Object.values(nested)).filter(isNested);
  }
  return depth;
};

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
