import { payloadOf } from '../../facts/domain-event.ts';
import type { Reaction } from '../../facts/tell.ts';
import { awaitedEvents } from '../../flows/blocks/wait-event.ts';
import { insertInput, putInput } from '../inputs.ts';

const awaited: readonly string[] = awaitedEvents;

type Listening = { id: string; resumes: number; flowId: string; version: number; isWaiting: boolean };

/**
 * Puts an event before the contact's open runs whose version waits for such events somewhere, but not before the family that has caused it. A run
 * that waits for one now goes on, unless a run has caused the event: those go on by workflows.
 */
export const tellWaitingRuns: Reaction<readonly Listening[] | null> = {
  read: (sql, { name, contactId, cause }) =>
    awaited.includes(name)
      ? sql`
        select json_agg(json_build_object('id', id, 'resumes', resumes, 'flowId', flow_id, 'version', version, 'isWaiting', waiting = 'event') order by id) from runs
        where contact_id = ${contactId} and ended_at is null and ${name} = any(listens)
          and root_run_id is distinct from ${cause?.rootRunId ?? null}`
      : undefined,
  react: async (tx, event, listening) => {
    const { id: refId, contactId, cause } = event;
    const data = { name: event.name, data: payloadOf(event) };
    for (const { isWaiting, ...run } of listening ?? []) {
      const input = { runId: run.id, kind: 'event', refId, data } as const;
      if (isWaiting && cause.originRunId === undefined) {
        await insertInput(tx.sql, input);
        tx.advance({ ...run, contactId });
      } else {
        await putInput(tx, input);
      }
    }
  },
};
