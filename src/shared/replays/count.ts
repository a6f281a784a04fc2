/** The deliveries that a replay finds are counted up to this number. Progress needs no more, and nobody waits for a longer count. */
export const countCap = 10_000;

/** The count that is stored for more than that. */
export const beyondCap = countCap + 1;

/** A count in words. */
export const sayCount = (count: number): string =>
  count === beyondCap ? `more than ${sayNumber(countCap)}` : sayNumber(count);

const sayNumber = (count: number): string => count.toLocaleString('en');
