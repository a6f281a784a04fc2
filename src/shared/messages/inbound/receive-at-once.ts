import { deliveriesOf } from '../../deliveries/deliver-to-webhooks.ts';
import { startDeliveries } from '../../deliveries/insert.ts';
import { notFound } from '../../errors.ts';
import { asksForPerson } from '../../flows/handover-words.ts';
import { listFired } from '../../flows/live-triggers.ts';
import { showId } from '../../ids.ts';
import type { Database } from '../../platform/db/connect.ts';
import type { Autocommit, Transaction } from '../../platform/dispatch/transact.ts';
import { currentTraceparent, inSpan } from '../../platform/telemetry/tracing.ts';
import { listSendable, type Subscriber } from '../../webhooks/subscribers.ts';
import { readConsent } from './consent.ts';
import type { Incoming, Received } from './receive-message.ts';
import type { Together } from './receive-together.ts';
import { readMet, writeUsual, type Met, type Usual } from './usual-message.ts';

type Deps = {
  db: Database;
  autocommit: Autocommit;
  /** Shares statements with other messages; each has its own when not given. */
  together?: Together | undefined;
};

/**
 * Records the usual message by two statements: one that reads what it meets, and one that writes message, event and deliveries and commits by
 * itself. Usual is one in an open conversation that starts no flow, answers none and asks for nobody, in an account whose webhooks may all be
 * sent to: nothing but deliveries follows it. Undefined, with nothing written, for any other: `receiveMessage` takes it in a transaction. What
 * was read holds, or nothing is written.
 */
export const receiveAtOnce = async (deps: Deps, incoming: Incoming): Promise<Received | undefined> => {
  const { message } = incoming;
  if (readConsent(message.text) !== undefined) return undefined;
  const met = deps.together ? await deps.together.read(incoming) : await readMet(deps.db, incoming);
  if (!met) throw notFound('channel');
  const { known, contactId, conversationId, isLastChannel, triggers } = met;
  const { skipped = [] } = message.sender;
  if (known) return { ...known, duplicate: true, skipped };
  if (asksForPerson(met.words, message.text)) return undefined;
  const subscribers = listSendable(met.subscribers, 'new_message');
  if (contactId === null || conversationId === null || !isLastChannel || !subscribers) return undefined;
  if (triggers && (!met.isFree || listFired(triggers, message.text).length > 0)) return undefined;
  const { messageId, eventId } = met;
  const isWritten = await write(deps, incoming, { ...met, contactId, conversationId, subscribers });
  return isWritten ? { messageId, contactId, eventId, duplicate: false, skipped } : undefined;
};

type Decided = Omit<Met, 'subscribers'> & {
  contactId: string;
  conversationId: string;
  subscribers: readonly Subscriber[];
};

/** Whether it was written: not when the same message came in between, or what makes it another than the usual one. */
const write = ({ autocommit, together }: Deps, incoming: Incoming, decided: Decided): Promise<boolean> => {
  const { accountId, message } = incoming;
  const { contactId, conversationId, messageId, eventId, channel, sentAt, subscribers, triggers } = decided;
  const attributes = () => ({
    'parley.event': 'new_message',
    'parley.event_id': showId('event', eventId),
    'parley.deliveries': subscribers.length,
  });
  return inSpan('event.emit', { attributes }, async () => {
    const told = {
      id: showId('message', messageId),
      text: message.text,
      direction: 'inbound',
      sent_at: sentAt.toISOString(),
    } as const;
    const ids = { id: eventId, accountId, contactId, conversationId, channel };
    const event = { ...ids, name: 'new_message', message: told, occurredAt: sentAt, cause: { depth: 0 } } as const;
    const sent = { ...deliveriesOf(event, subscribers), traceparent: currentTraceparent() };
    const usual: Usual = { incoming, messageId, conversationId, event, sent, besideFlows: triggers !== null };
    const alone = () => autocommit(({ sql }) => writeUsual(sql, usual, { waits: true }));
    // What shares a statement holds no connection of its own, and so no place of its account's.
    const written = async ({ start }: Pick<Transaction, 'start'>) => {
      const isWritten = await (together ? together.write(usual, alone) : alone());
      if (isWritten) startDeliveries({ start }, sent.told, sent.deliveries);
      return isWritten;
    };
    return autocommit(written, { elsewhere: true });
  });
};
