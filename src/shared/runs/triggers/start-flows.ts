import type { Reaction } from '../../facts/tell.ts';
import { payloadOf, type NamedEvent } from '../../facts/domain-event.ts';
import { triggeringEvents } from '../../flows/definition/triggers.ts';
import { selectTriggers, type LiveTrigger } from '../../flows/live-triggers.ts';
import { foldTag } from '../../tags/fold.ts';
import { insertRun } from '../life/insert-run.ts';

/** Without messages: `routeMessage` has their triggers. */
const triggering: readonly string[] = triggeringEvents;

/**
 * Starts the flow whose trigger an event fires: of several the one of the highest priority, then the oldest, that the contact is not in. Where
 * one may not be begun now, none may.
 */
export const startFlows: Reaction<readonly LiveTrigger[] | null> = {
  read: (sql, { name, accountId }) => (triggering.includes(name) ? selectTriggers(sql, accountId, [name]) : undefined),
  react: async (tx, event, triggers) => {
    const { accountId, contactId, cause } = event;
    const told = { name: event.name, ...payloadOf(event) };
    for (const { flowId } of (triggers ?? []).filter((trigger) => isMeant(trigger, event))) {
      if (await insertRun(tx, { accountId, contactId, channelId: null, flowId, params: {}, event: told, cause }))
        return;
    }
  },
};

/** Whether a trigger for such events is for this one. */
const isMeant = ({ tag, status }: LiveTrigger, event: NamedEvent): boolean => {
  if (event.name === 'tag_applied') return tag === null || tag === foldTag(event.tag.name);
  if (event.name === 'order_status_changed') return status === null || status === event.order.status;
  return true;
};
