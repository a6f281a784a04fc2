import type { Json } from '../../custom-fields/values.ts';
import { conflictWith, notFound, RequestError } from '../../errors.ts';
import { showId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { LoopGuardError } from './fan-out.ts';
import { insertRun } from './insert-run.ts';
import { lockContact } from '../../contacts/lock-contact.ts';

/** Who is to walk which flow; ids are UUIDs. */
type Enrollment = { accountId: string; contactId: string; flowId: string; params: Json };

/**
 * Enrolls a contact in a flow (specification 4.3): its run is there, and its workflow is started after the commit. Throws 404 for an unknown
 * contact or flow, 409 for a flow that is not live, and 409 that names the run when the contact is in the flow already. Throws 409 for a
 * request of a run whose chain has caused too many runs, and 429 while the account has too many that have not begun.
 */
export const enrollContact = async (tx: EventTransaction, enrollment: Enrollment) => {
  const { accountId, contactId, flowId } = enrollment;
  if (!(await lockContact(tx.sql, { accountId, contactId }))) throw notFound('contact');
  const run = await insertRun(tx, { ...enrollment, channelId: null, cause: tx.cause ?? { depth: 0 } });
  if (typeof run === 'object') return run;
  if (run !== undefined && tx.cause?.originRunId !== undefined) throw new LoopGuardError(tx.cause.originRunId);
  return refuse(tx.sql, { accountId, contactId, flowId });
};

const whyNotLive = {
  draft: 'The flow is not published.',
  paused: 'The flow is paused.',
  archived: 'The flow is archived.',
} as const;

const refuse = async (sql: Sql, { accountId, contactId, flowId }: Omit<Enrollment, 'params'>): Promise<never> => {
  const [flow] = await sql<{ status: keyof typeof whyNotLive | 'live'; runId: string | null }[]>`
    select f.status, (
        select id from runs where contact_id = ${contactId} and flow_id = f.id and ended_at is null and one_active
      ) as run_id
    from flows f where f.id = ${flowId} and f.account_id = ${accountId}`;
  if (!flow) throw notFound('flow');
  if (flow.status !== 'live') throw new RequestError('conflict', whyNotLive[flow.status]);
  const id = flow.runId ?? undefined;
  const run = id === undefined ? 'another run' : showId('run', id);
  throw conflictWith(`The contact is already in this flow: ${run}.`, { noun: 'run', id });
};
