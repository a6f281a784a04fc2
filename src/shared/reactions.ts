import { deliverToWebhooks } from './deliveries/deliver-to-webhooks.ts';
import type { Reactions } from './facts/tell.ts';
import { noteHandover } from './messages/conversations/changes/note-handover.ts';
import { followContact } from './runs/triggers/follow-contact.ts';
import { followFlow } from './runs/triggers/follow-flow.ts';
import { followHandover } from './runs/triggers/follow-handover.ts';
import { leaveToWorkflows } from './runs/engine/advance-in-transaction.ts';
import { routeMessage } from './runs/triggers/route-message.ts';
import { silenceRuns } from './runs/triggers/silence-runs.ts';
import { startFlows } from './runs/triggers/start-flows.ts';
import { tellWaitingRuns } from './runs/triggers/tell-waiting-runs.ts';

/**
 * Everything that follows a fact in its transaction: the reactions of runs in this order, and deliveries, which lock webhooks, last. `receive`
 * takes the messages that only deliveries follow past this list. Processes that serve have runs advance by `createAdvance`.
 */
export const reactions: Reactions = {
  toEvents: [routeMessage, silenceRuns, tellWaitingRuns, startFlows],
  toPrivateFacts: [noteHandover, followContact, followHandover, followFlow],
  advance: leaveToWorkflows,
  beforeCommit: deliverToWebhooks,
};
