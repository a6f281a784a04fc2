import { describeError } from '../failure.ts';

/** What a check found. `wrong` keeps the service from its work; a `warning` may be intended. */
export type Finding = {
  part: string;
  state: 'ok' | 'warning' | 'wrong';
  message: string;
  /** What to do; every finding that is not ok has one. */
  remedy?: string;
};

export const ok = (part: string, message: string): Finding => ({ part, state: 'ok', message });

export const warning = (part: string, message: string, remedy: string): Finding => ({
  part,
  state: 'warning',
  message,
  remedy,
});

export const wrong = (part: string, message: string, remedy: string): Finding => ({
  part,
  state: 'wrong',
  message,
  remedy,
});

/** Runs a check. A check that fails is a finding, too, and does not stop the others. */
export const examine = async (part: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> => {
  try {
    return [await check()].flat();
  } catch (error) {
    return [
      wrong(part, `cannot be checked: ${describeError(error)}`, 'fix what the message names, then run doctor again'),
    ];
  }
};
