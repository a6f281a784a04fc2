import { lockContact } from '../contacts/lock-contact.ts';
import { findSendingChannel } from '../contacts/sending-channel.ts';
import { found, notFound, RequestError } from '../errors.ts';
import { handoverChanged } from '../facts/handover-changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import type { Cause } from '../facts/domain-event.ts';
import type { Sql } from '../platform/db/connect.ts';
import { findOpenHandover, insertHandover } from './queries.ts';
import { mailRecipients } from './recipients.ts';
import { tellHandover, type HandoverRow, type NewHandover } from './schema.ts';

/** `byUserId` is the user who asks, if one does; ids are UUIDs. */
type Asked = { accountId: string; asked: NewHandover; requestedBy: 'agent' | 'api'; byUserId?: string | undefined };

/**
 * Requests a handover of a contact, under its lock, and tells handover_requested. The one that is open already is answered as it is. Throws
 * `not_found` when the account has no such contact or conversation, and `conflict` for a conversation that is closed.
 */
export const requestHandover = async (
  tx: EventTransaction,
  { accountId, asked, requestedBy, byUserId }: Asked,
): Promise<HandoverRow> => {
  const { sql } = tx;
  const { conversation_id: conversationId, reason } = asked;
  const getConversation = async (id: string) => found('conversation', await findTalk(sql, accountId, id));
  const contactId = conversationId === undefined ? asked.contact_id : (await getConversation(conversationId)).contactId;
  if (contactId === undefined || !(await lockContact(sql, { accountId, contactId }))) throw notFound('contact');
  const open = await findOpenHandover(sql, contactId);
  if (open) return open;
  // Read once more: whoever closes a conversation has locked its contact.
  if (conversationId !== undefined && (await getConversation(conversationId)).status === 'closed')
    throw new RequestError('conflict', 'This conversation is closed. Reopen it first.');
  const about =
    conversationId === undefined
      ? { channelId: (await findSendingChannel(sql, { accountId, contactId })) ?? null }
      : { conversationId };
  const opened = found('handover', await insertHandover(sql, { accountId, contactId, about, reason, requestedBy }));
  await tellRequested(tx, { accountId, handover: opened, byUserId });
  return opened;
};

const findTalk = async (sql: Sql, accountId: string, id: string) => {
  const [talk] = await sql<{ contactId: string; status: 'open' | 'closed' }[]>`
    select contact_id, status from conversations where id = ${id} and account_id = ${accountId}`;
  return talk;
};

type Requested = {
  accountId: string;
  handover: HandoverRow;
  cause?: Cause;
  byUserId?: string | undefined;
  /** Whether users get mails of it; unless told, they do. */
  isMailed?: boolean;
};

/** Writes the mails of a handover, and tells handover_requested. */
export const tellRequested = async (
  tx: EventTransaction,
  { accountId, handover, cause, byUserId, isMailed = true }: Requested,
): Promise<void> => {
  const { id: handoverId, contactId, conversationId, createdAt: occurredAt } = handover;
  await tx.tell(handoverChanged({ accountId, contactId, conversationId, handoverId, kind: 'handed_over', byUserId }));
  if (isMailed) await mailRecipients(tx, accountId, handover);
  await tx.tell({
    name: 'handover_requested',
    accountId,
    contactId,
    ...(conversationId !== null && { conversationId }),
    handover: tellHandover(handover),
    occurredAt,
    ...(cause && { cause }),
  });
};
