import type { Reaction } from '../../events/emit.ts';
import { payloadOf } from '../../events/envelope.ts';
import { selectTriggers, type LiveTrigger } from '../../flows/live-triggers.ts';
import { foldTag } from '../../tags/fold.ts';
import { insertRun } from '../insert-run.ts';

/** Events that start a flow by themselves, beside a message, which `routeMessage` looks after. */
const triggering: readonly string[] = ['tag_applied', 'new_contact'];

/**
 * Starts the flow whose trigger an event fires: of several the one of the highest priority, then the oldest, that the contact is not in.
 * Whoever has emitted the event has locked the contact.
 */
export const startFlows: Reaction<readonly LiveTrigger[] | null> = {
  read: (sql, { name, accountId }) => (triggering.includes(name) ? selectTriggers(sql, accountId, [name]) : undefined),
  react: async (tx, event, { read: triggers }) => {
    const { accountId, contactId, cause } = event;
    const told = { name: event.name, ...payloadOf(event) };
    const tag = event.name === 'tag_applied' ? foldTag(event.tag.name) : null;
    for (const trigger of triggers ?? []) {
      if (trigger.tag !== null && trigger.tag !== tag) continue;
      const { flowId } = trigger;
      if (await insertRun(tx, { accountId, contactId, channelId: null, flowId, params: {}, event: told, cause }))
        return;
    }
  },
};
