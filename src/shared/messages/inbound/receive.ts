import { readConsent } from '../../contacts/consent.ts';
import { deliveriesOf } from '../../deliveries/deliver-to-webhooks.ts';
import { startDeliveries } from '../../deliveries/insert.ts';
import { notFound } from '../../errors.ts';
import { changed } from '../../facts/changed.ts';
import { newMessage } from '../../facts/new-message.ts';
import { talked } from '../../facts/talked.ts';
import type { EventAutocommit } from '../../facts/tell.ts';
import { asksForPerson } from '../../flows/handover-words.ts';
import { listFired } from '../../flows/live-triggers.ts';
import { showId } from '../../ids.ts';
import { currentTraceparent, inSpan } from '../../platform/telemetry/tracing.ts';
import { listSendable, type Subscriber } from '../../webhooks/subscribers.ts';
import { tellMessage, type Incoming, type Received } from './message.ts';
import type { Met } from './read-messages.ts';
import type { InboundStatements } from './share-statements.ts';
import { writeMessages, type PreparedMessage } from './write-messages.ts';

type Deps = { autocommit: EventAutocommit; inbound: InboundStatements };

/**
 * Records a message that only deliveries follow, by two statements: one reads what it meets, and one writes message, event and deliveries and
 * commits by itself. What was read holds, or nothing is written. Undefined, with nothing written, for any other message:
 * `receiveInTransaction` takes it. Throws `not_found` when the account has no such channel.
 */
export const receive = async (deps: Deps, incoming: Incoming): Promise<Received | undefined> => {
  const met = await deps.inbound.read(incoming);
  if (!met) throw notFound('channel');
  const { skipped = [] } = incoming.message.sender;
  if (met.known) return { ...met.known, duplicate: true, skipped };
  // Its files are held in the transaction that writes it.
  if (incoming.message.attachments?.length) return undefined;
  const decided = decide(met, incoming.message.text);
  if (!decided || !(await write(deps, incoming, decided))) return undefined;
  const { messageId, contactId, eventId } = decided;
  return { messageId, contactId, eventId, duplicate: false, skipped };
};

type Decided = Omit<Met, 'subscribers'> & {
  contactId: string;
  conversationId: string;
  subscribers: readonly Subscriber[];
};

/**
 * Undefined for a message that more than deliveries follows: of a new sender or one that had blocked the channel, without an open conversation, on
 * another channel than the last one, STOP or START, one that asks for an agent, starts a flow or answers one, or meets a webhook that may not be sent to.
 */
const decide = (met: Met, text: string): Decided | undefined => {
  const { contactId, conversationId, isLastChannel, hasBlocked, triggers } = met;
  if (readConsent(text) !== undefined || asksForPerson(met.words, text)) return undefined;
  const subscribers = listSendable({ ...met.subscribers, eventName: 'new_message' });
  if (contactId === null || conversationId === null || !isLastChannel || hasBlocked || !subscribers) return undefined;
  if (triggers && (!met.isFree || listFired(triggers, text).length > 0)) return undefined;
  return { ...met, contactId, conversationId, subscribers };
};

/** Whether it was written: not when the same message came in between, or what makes more than deliveries follow it. */
const write = ({ autocommit, inbound }: Deps, incoming: Incoming, decided: Decided): Promise<boolean> => {
  const attributes = () => ({
    'parley.event': 'new_message',
    'parley.event_id': showId('event', decided.eventId),
    'parley.deliveries': decided.subscribers.length,
  });
  return inSpan('event.emit', { attributes }, () => {
    const message = prepareMessage(incoming, decided);
    const toldTo = message.sent.deliveries.length > 0 ? (['deliveries'] as const) : [];
    const told = changed(incoming.accountId, ...newMessage.topics, ...toldTo);
    const alone = () =>
      autocommit(async ({ sql, tell }) => {
        // Its conversation counts up also where the same message came in between.
        tell(told);
        return (await writeMessages(sql, [message], { waits: true }))(message);
      });
    // What shares a statement holds no connection of its own, and so no slot of its account's.
    return autocommit(
      async ({ start, tell }) => {
        const written = await inbound.write(message, alone);
        if (!written) return false;
        startDeliveries({ start }, message.sent, written);
        tell(told);
        tell(talked(incoming.accountId, message.conversationId, written.revision));
        return true;
      },
      { elsewhere: true },
    );
  });
};

const prepareMessage = (incoming: Incoming, decided: Decided): PreparedMessage => {
  const { accountId, message } = incoming;
  const { contactId, conversationId, messageId, eventId, channel, sentAt, subscribers, triggers } = decided;
  const ids = { id: eventId, accountId, contactId, conversationId, channel };
  const event = {
    ...ids,
    name: 'new_message',
    message: tellMessage({ messageId, text: message.text, sentAt }),
    occurredAt: sentAt,
    cause: { depth: 0 },
  } as const;
  const sent = { ...deliveriesOf(event, subscribers), traceparent: currentTraceparent() };
  return { incoming, messageId, conversationId, event, sent, besideFlows: triggers !== null };
};
