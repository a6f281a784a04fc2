import { payloadOf } from '../../facts/domain-event.ts';
import type { Reaction } from '../../facts/tell.ts';
import { awaitedEvents } from '../../flows/blocks/wait-event.ts';
import { putInput } from '../inputs.ts';

const awaited: readonly string[] = awaitedEvents;

/**
 * Puts an event before the contact's open runs whose version waits for such events somewhere, but not before the family that has caused it.
 */
export const tellWaitingRuns: Reaction<readonly string[] | null> = {
  read: (sql, { name, contactId, cause }) =>
    awaited.includes(name)
      ? sql`
        select json_agg(id order by id) from runs
        where contact_id = ${contactId} and ended_at is null and ${name} = any(listens)
          and root_run_id is distinct from ${cause?.rootRunId ?? null}`
      : undefined,
  react: async (tx, event, runIds) => {
    const data = { name: event.name, data: payloadOf(event) };
    for (const runId of runIds ?? []) await putInput(tx, { runId, kind: 'event', refId: event.id, data });
  },
};
