import { attemptFailed } from '../shared/deliveries/attempt-failed.ts';
import type { AttemptKey, AttemptResult } from '../shared/deliveries/types.ts';

/** Fails the activity of a failed attempt, also one that is answered from the record. Its workflow reads the result from the failure. */
export const failVisibly =
  (attempt: (key: AttemptKey) => Promise<AttemptResult>) =>
  async (key: AttemptKey): Promise<AttemptResult> => {
    const result = await attempt(key);
    if (result.type === 'recorded' && result.outcome === 'failed') throw attemptFailed(result);
    return result;
  };
