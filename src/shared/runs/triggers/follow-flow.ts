import type { PrivateReaction } from '../../facts/tell.ts';
import { wakePausedRuns } from '../life/wake-runs.ts';

/** Has the runs that stopped at a pause of their flow go on when it has ended, at a pace. */
export const followFlow: PrivateReaction = async (tx, fact) => {
  if (fact.name === 'flow_resumed') await wakePausedRuns(tx, fact.flowId);
};
