import { deliverToWebhooks } from './deliveries/deliver-to-webhooks.ts';
import type { Reaction } from './events/emit.ts';
import { routeMessage } from './runs/triggers/route-message.ts';
import { silenceRuns } from './runs/triggers/silence-runs.ts';
import { startFlows } from './runs/triggers/start-flows.ts';
import { tellWaitingRuns } from './runs/triggers/tell-waiting-runs.ts';

/**
 * Everything that follows an event in its transaction, in this order: runs are locked before webhooks. `receive` takes the messages that only
 * `deliverToWebhooks` follows past this list.
 */
export const reactions: readonly Reaction[] = [
  routeMessage,
  silenceRuns,
  tellWaitingRuns,
  startFlows,
  deliverToWebhooks,
];
