import { attemptFailed } from '../shared/deliveries/attempt-failed.ts';
import type { AttemptKey, AttemptResult } from '../shared/deliveries/types.ts';

/** Has the activity of a failed attempt fail where its workflow can read that; also when it is answered from the record. */
export const failVisibly =
  (attempt: (key: AttemptKey) => Promise<AttemptResult>) =>
  async (key: AttemptKey): Promise<AttemptResult> => {
    const result = await attempt(key);
    if (key.visible && result.type === 'recorded' && result.outcome === 'failed') throw attemptFailed(result);
    return result;
  };
