import { deliverToWebhooks } from './deliveries/deliver-to-webhooks.ts';
import type { Reaction } from './events/emit.ts';

/** Everything that follows an event in its own transaction. */
export const reactions: readonly Reaction[] = [deliverToWebhooks];
