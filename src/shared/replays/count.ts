/** Deliveries that a replay finds are counted as far as this: progress needs no more, and nobody shall wait for a count. */
export const countCap = 10_000;

/** What is counted, and stored, of more than that. */
export const beyondCap = countCap + 1;

/** A counted number as people read it. */
export const sayCount = (count: number): string =>
  count === beyondCap ? `more than ${sayNumber(countCap)}` : sayNumber(count);

const sayNumber = (count: number): string => count.toLocaleString('en');
