import { attemptFailed } from '../shared/deliveries/attempt-failed.ts';
import type { AttemptKey, AttemptResult } from '../shared/deliveries/types.ts';

/** Fails the activity of a failed attempt, also one that is answered from the record, when its workflow reads failed activities. */
export const failVisibly =
  (attempt: (key: AttemptKey) => Promise<AttemptResult>) =>
  async (key: AttemptKey): Promise<AttemptResult> => {
    const result = await attempt(key);
    if (key.visible && result.type === 'recorded' && result.outcome === 'failed') throw attemptFailed(result);
    return result;
  };
