import { lockContact } from '../../contacts/lock-contact.ts';
import { conflictWith, found } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import type { Cause } from '../../facts/domain-event.ts';
import { endHandover } from '../../handovers/end.ts';
import { showId } from '../../ids.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { insertAct } from './changes/acts.ts';
import { tellOpened } from './changes/revisions.ts';
import { findConversation } from './find-conversations.ts';
import type { ConversationRow } from './schema.ts';

/** A conversation of the account, and the user who changes it, if one does; UUIDs. */
type Which = { accountId: string; id: string; byUserId?: string | undefined };

/**
 * Closes a conversation, under its contact's lock, and tells conversation_closed. The handover that is of it, or of no conversation, is resolved with
 * it. A conversation that is closed already stays as it is. Throws `not_found`.
 */
export const closeConversation = async (tx: EventTransaction, which: Which): Promise<ConversationRow> => {
  await closeIfOpen(tx, which);
  return get(tx.sql, which);
};

/** The same, answering whether it was open. */
export const closeIfOpen = async (tx: EventTransaction, which: Which): Promise<boolean> => {
  const { sql } = tx;
  const { accountId, id } = which;
  await lockContactOf(sql, which);
  const closed = await close(sql, sql`account_id = ${accountId} and id = ${id}`);
  if (closed) {
    const { byUserId } = which;
    await endHandover(
      tx,
      { contactId: closed.contactId, status: 'resolved', if: { conversationId: id } },
      { byUserId },
    );
    await tellClosed(tx, closed, { byUserId });
  }
  return closed !== undefined;
};

/** What closing a conversation has written; ids are UUIDs. */
export type Closed = Pick<ConversationRow, 'id' | 'contactId' | 'createdAt' | 'revision'> & {
  accountId: string;
  closedAt: Date;
};

/** Closes a contact's open conversation on a channel. Undefined when there is none. The caller has locked the contact, and tells of it. */
export const closeOpen = (
  sql: Sql,
  { contactId, channelId }: { contactId: string; channelId: string },
): Promise<Closed | undefined> => close(sql, sql`contact_id = ${contactId} and channel_id = ${channelId}`);

/** Tells conversation_closed, and writes the act. */
export const tellClosed = async (
  tx: EventTransaction,
  { accountId, id, contactId, createdAt, closedAt, revision }: Closed,
  { cause, byUserId: userId }: { cause?: Cause; byUserId?: string | undefined } = {},
): Promise<void> => {
  await insertAct(tx.sql, { accountId, conversationId: id, kind: 'closed', userId, revision });
  await tx.tell(talked(accountId, id, revision));
  await tx.tell({
    name: 'conversation_closed',
    accountId,
    contactId,
    conversationId: id,
    conversation: { id: showId('conversation', id), created_at: createdAt.toISOString() },
    occurredAt: closedAt,
    ...(cause && { cause }),
  });
};

/**
 * Opens a closed conversation again, under its contact's lock. An open one stays as it is. Throws `not_found`, and `conflict` while the contact
 * has another open one on the channel, which it names.
 */
export const reopenConversation = async (tx: EventTransaction, which: Which): Promise<ConversationRow> => {
  await reopenIfClosed(tx, which);
  return get(tx.sql, which);
};

/** The same, answering whether it was closed. */
export const reopenIfClosed = async (tx: EventTransaction, which: Which): Promise<boolean> => {
  const { sql, tell } = tx;
  const { accountId, byUserId: userId } = which;
  await lockContactOf(sql, which);
  const { id, contactId, channelId } = await get(sql, which);
  const [other] = await sql<{ id: string }[]>`
    select id from conversations where contact_id = ${contactId} and channel_id = ${channelId} and status = 'open' and id <> ${id}`;
  if (other) {
    const message = `The contact has another open conversation on this channel: ${showId('conversation', other.id)}.`;
    throw conflictWith(message, { noun: 'conversation', id: other.id });
  }
  const [reopened] = await sql<{ revision: number }[]>`
    update conversations set status = 'open', closed_at = null, revision = revision + 1 where id = ${id} and status = 'closed'
    returning revision::float8 as revision`;
  if (!reopened) return false;
  const { revision } = reopened;
  await insertAct(sql, { accountId, conversationId: id, kind: 'reopened', userId, revision });
  await tell(changed(accountId, 'conversations'));
  await tell(talked(accountId, id, revision));
  await tellOpened(tx, { accountId, conversationId: id });
  return true;
};

const get = async (sql: Sql, { accountId, id }: Which): Promise<ConversationRow> =>
  found('conversation', await findConversation(sql, accountId, id));

const lockContactOf = async (sql: Sql, which: Which): Promise<void> => {
  const { contactId } = await get(sql, which);
  await lockContact(sql, { accountId: which.accountId, contactId });
};

/**
 * The row is locked as for a deletion: that waits for messages that are being written into the conversation, also by processes of 0.3, which lock the
 * row `for key share`. Those that come after see the row as it is then.
 */
const close = async (sql: Sql, which: Fragment): Promise<Closed | undefined> => {
  const [closed] = await sql<Closed[]>`
    with held as materialized (
      select id from conversations where ${which} and status = 'open' for update
    )
    update conversations v set status = 'closed', closed_at = clock_timestamp(), revision = v.revision + 1 from held where v.id = held.id
    returning v.id, v.account_id, v.contact_id, v.created_at, v.closed_at, v.revision::float8 as revision`;
  return closed;
};
