import { lockContact } from '../../contacts/lock-contact.ts';
import { found, RequestError } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import { talked, talksAtMost, type Talk } from '../../facts/talked.ts';
import type { EventTransaction, Writer } from '../../facts/tell.ts';
import { whenByOther } from '../../handovers/when-by-other.ts';
import { showId } from '../../ids.ts';
import { insertAct } from './changes/acts.ts';

/** A conversation of the account; the id is a UUID. */
type Which = { accountId: string; id: string };

type Assignment = {
  userId: string | null;
  /** The user who assigns it; undefined for an API key. */
  byUserId?: string | undefined;
  /** Only while this user is assigned, or nobody (null). */
  ifAssignedTo?: string | null | undefined;
};

/**
 * Has a user of the account, a UUID, look after a conversation, and take its open handover; null: nobody. Answers false where it was so already. Throws `not_found` for a user
 * and a conversation of others, and `conflict` where `ifAssignedTo` does not hold.
 */
export const assign = async (
  { sql, tell }: EventTransaction,
  { accountId, id, userId, ifAssignedTo, byUserId }: Which & Assignment,
): Promise<boolean> => {
  // Its handover follows: whoever changes that has locked the contact.
  const [talk] = await sql<{ contactId: string }[]>`
    select contact_id from conversations where id = ${id} and account_id = ${accountId}`;
  await lockContact(sql, { accountId, contactId: found('conversation', talk).contactId });
  if (userId !== null) {
    // Held until the transaction ends, so that a user who is removed meanwhile is taken off this conversation, too.
    const [user] = await sql`select id from users where id = ${userId} and account_id = ${accountId} for key share`;
    found('user', user);
  }
  const [was] = await sql<{ assignedTo: string | null }[]>`
    select assigned_to from conversations where id = ${id} and account_id = ${accountId} for no key update`;
  const { assignedTo } = found('conversation', was);
  if (assignedTo === userId) return false;
  if (ifAssignedTo !== undefined && assignedTo !== ifAssignedTo)
    throw new RequestError('conflict', 'The assignment has changed meanwhile.');
  const data = { assigned_to: userId && showId('user', userId) };
  const [{ revision }] = await sql<[{ revision: number }]>`
    update conversations set assigned_to = ${userId}, assigned_by_other_at = ${whenByOther(sql, { userId, byUserId })}, revision = revision + 1
    where id = ${id} returning revision::float8 as revision`;
  await insertAct(sql, { accountId, conversationId: id, kind: 'assigned', userId: byUserId, data, revision });
  await tell(talked(accountId, id, revision));
  await tell(changed(accountId, 'conversations', 'handovers'));
  return true;
};

/** Takes a user who leaves off all conversations, in the order of their ids: nobody who does so for many waits for another. */
export const unassignUser = async (
  { sql, tell }: Writer,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> => {
  // Their handovers follow: whoever changes those has locked the contact.
  await sql`
    select from contacts where id in (select contact_id from conversations where assigned_to = ${userId} and account_id = ${accountId})
    order by id for no key update`;
  const talks = await sql<Talk[]>`
    with held as materialized (
      select id from conversations where assigned_to = ${userId} and account_id = ${accountId} order by id for no key update
    ), unassigned as (
      update conversations v set assigned_to = null, revision = v.revision + 1
      where id = any(array(select id from held)) returning v.account_id, v.id as conversation_id, v.revision
    ), act as (
      insert into conversation_acts (account_id, conversation_id, kind, data, revision)
      select account_id, conversation_id, 'assigned', '{"assigned_to": null}', revision from unassigned
    )
    select account_id, conversation_id, revision::float8 as revision from unassigned limit ${talksAtMost + 1}`;
  if (talks.length === 0) return;
  await tell(changed(accountId, 'conversations', 'handovers'));
  for (const talk of talks) await tell(talked(talk.accountId, talk.conversationId, talk.revision));
};
