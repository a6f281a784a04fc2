import { changed } from '../../../facts/changed.ts';
import { talked, type Talk } from '../../../facts/talked.ts';
import type { PrivateReaction } from '../../../facts/tell.ts';
import { showId } from '../../../ids.ts';

/**
 * Writes what is done to a handover into its conversation. A handover that begins or ends changes the `state` of all open conversations of its
 * contact.
 */
export const noteHandover: PrivateReaction = async ({ sql, tell }, fact) => {
  if (fact.name !== 'handover_changed') return;
  const { accountId, contactId, conversationId, handoverId, kind, byUserId = null } = fact;
  const data = {
    handover_id: showId('handover', handoverId),
    ...(fact.kind === 'taken' && { assigned_to: fact.assignedTo && showId('user', fact.assignedTo) }),
    ...(fact.kind === 'handed_back' && { status: fact.status }),
  };
  const isOther = kind === 'taken' ? sql`false` : sql`status = 'open'`;
  const talks = await sql<Talk[]>`
    with held as materialized (
      select id from conversations where contact_id = ${contactId} and (id = ${conversationId} or ${isOther}) order by id for no key update
    ), counted as (
      update conversations v set revision = v.revision + 1 where v.id = any(array(select id from held))
      returning v.account_id, v.id as conversation_id, v.revision
    ), act as (
      insert into conversation_acts (account_id, conversation_id, kind, user_id, data, revision)
      select account_id, conversation_id, ${kind}, ${byUserId}, ${sql.json(data)}, revision from counted where conversation_id = ${conversationId}
    )
    select account_id, conversation_id, revision::float8 as revision from counted`;
  if (talks.length > 0) await tell(changed(accountId, 'conversations'));
  for (const talk of talks) await tell(talked(talk.accountId, talk.conversationId, talk.revision));
};
