import { sayNumber } from '../words/numbers.ts';

/** A number that was counted up to `cap`, which means that many or more: "12", or "10,000+" for 10,001. */
export const sayCapped = (count: number, cap: number): string =>
  count < cap ? sayNumber(count) : `${sayNumber(cap - 1)}+`;
