import type { Problem } from '../../errors.ts';
import type { NamedEvent } from '../../facts/domain-event.ts';
import { showId } from '../../ids.ts';
import { tellAttachment, type StoredAttachment } from '../../media/attachments.ts';
import type { InboundMessage } from './schema.ts';

/** An inbound message of a channel of the account; ids are UUIDs. */
export type Incoming = { accountId: string; channelId: string; message: InboundMessage };

/** A message that a channel had before; ids are UUIDs. */
export type KnownMessage = {
  messageId: string;
  contactId: string;
  /** Null for a message that 0.2 received. */
  eventId: string | null;
};

/** The message as it is stored. `duplicate`: the channel had it before. `skipped`: what was wrong with fields of the sender. */
export type Received = KnownMessage & { duplicate: boolean; skipped: readonly Problem[] };

/** The message as its event tells it. */
export const tellMessage = ({
  messageId,
  text,
  sentAt,
  attachments = [],
}: {
  messageId: string;
  text: string;
  sentAt: Date;
  attachments?: readonly StoredAttachment[];
}): NamedEvent<'new_message'>['message'] => ({
  id: showId('message', messageId),
  text,
  direction: 'inbound',
  sent_at: sentAt.toISOString(),
  ...(attachments.length > 0 && { attachments: attachments.map(tellAttachment) }),
});
