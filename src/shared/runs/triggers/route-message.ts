import { selectHandoverWords } from '../../accounts/handover-settings.ts';
import { readConsent } from '../../contacts/consent.ts';
import type { EventTransaction, Reaction } from '../../facts/tell.ts';
import type { Cause } from '../../facts/domain-event.ts';
import { triggersOfMessages } from '../../flows/definition/triggers.ts';
import type { ReplyAttachment } from '../../flows/blocks/context.ts';
import { asksForPerson } from '../../flows/handover-words.ts';
import { listFired, selectTriggers, type LiveTrigger } from '../../flows/live-triggers.ts';
import { readStartPayload } from '../../flows/start-link.ts';
import { insertHandover } from '../../handovers/queries.ts';
import { tellRequested } from '../../handovers/request.ts';
import { readId, showId } from '../../ids.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { unsubscribe } from '../life/unsubscribe.ts';
import { moveForeground } from '../foreground.ts';
import { giveReply, listFamily } from './give-reply.ts';
import { insertRun, type NotBegun } from '../life/insert-run.ts';
import { runWork } from '../work.ts';

/** Who got an inbound message, or why nobody did: "why did nothing happen" has an answer. Ids as they are shown outside. */
export type RoutedTo =
  /** `kept`: the run does not ask now. It may take the message when it does, and tells so, or that it has passed it over. */
  | { to: 'run'; run_id: string; kept?: true }
  | { to: 'flow'; flow_id: string; run_id: string; by: (typeof triggersOfMessages)[number] | 'new_contact' }
  | { to: 'consent'; word: 'stop' | 'start' }
  | { to: 'handover'; handover_id: string }
  | { to: 'nobody'; because: 'passed_over'; run_id: string }
  | { to: 'nobody'; because: 'unsubscribed' | 'blocked' | 'silence' | 'no_trigger' | 'in_flow_already' | NotBegun };

/** `words` ask for a person; null where the account has none. `triggers` is null where it has never published a flow. */
type Known = { triggers: readonly LiveTrigger[] | null; words: readonly string[] | null; state: ContactState };

type Message = {
  /** UUIDs. */
  id: string;
  accountId: string;
  contactId: string;
  channelId: string;
  text: string;
  attachments?: readonly ReplyAttachment[] | undefined;
  /** Its place in the order of everything that comes for the contact. */
  seq: number;
  cause: Cause;
};

/**
 * Decides what automation makes of an inbound message, in this order: STOP, and START of who has stopped, a word that asks for a person, a link by
 * which it came, an interrupting keyword, the run that has the conversation, a keyword, the flow that its sender has begun as a new contact, the
 * default reply. The contact's lock, which `receiveInTransaction` has taken, orders messages and runs; a message gets its place under it.
 */
export const routeMessage: Reaction<Known> = {
  read: (sql, event) => {
    if (event.name !== 'new_message') return undefined;
    const { accountId, contactId, message } = event;
    return sql`
      select json_build_object('triggers', (${selectTriggers(sql, accountId, triggersOfMessages)}),
        'words', (${selectHandoverWords(sql, accountId)}),
        'state', (${selectState(sql, { contactId, messageId: readId('message', message.id) })}))`;
  },
  react: async (tx, event, { triggers, words, state }) => {
    if (event.name !== 'new_message') return;
    const { accountId, contactId, cause, message } = event;
    const asks = asksForPerson(words, message.text);
    if (triggers === null && !asks && readConsent(message.text) === undefined) return;
    const id = readId('message', message.id);
    const found = { id, accountId, contactId, cause, text: message.text, attachments: message.attachments, ...state };
    const routed = await route(tx, found, { ...state, asks, triggers: triggers ?? [] });
    tx.write(tx.sql`update messages set seq = ${state.seq}, routed_to = ${tx.sql.json(routed)} where id = ${id}`);
  },
};

type ContactState = {
  status: 'active' | 'unsubscribed' | 'blocked';
  isSilent: boolean;
  foreground: string | null;
  channelId: string;
  seq: number;
  /** The run that the sender has begun as a new contact: this transaction has made both. */
  begun: { runId: string; flowId: string } | null;
};

/** SQL: a `ContactState`, as one JSON value. It takes the place of the message in the order of all, under the contact's lock. */
const selectState = (sql: Sql, { contactId, messageId }: { contactId: string; messageId: string }): Fragment => sql`
  select json_build_object('status', c.status,
    'isSilent', c.handover_id is not null or coalesce(c.automation_paused_until > clock_timestamp(), false),
    'foreground', c.foreground_run_id, 'channelId', m.channel_id, 'seq', nextval('messages_seq'),
    'begun', (select json_build_object('runId', r.id, 'flowId', r.flow_id) from runs r
      where r.contact_id = c.id and c.created_at = now() and r.ended_at is null limit 1))
  from contacts c, messages m where c.id = ${contactId} and m.id = ${messageId}`;

const route = async (
  tx: EventTransaction,
  message: Message,
  {
    status,
    isSilent,
    foreground,
    begun,
    asks,
    triggers,
  }: ContactState & {
    asks: boolean;
    triggers: readonly LiveTrigger[];
  },
): Promise<RoutedTo> => {
  const word = readConsent(message.text);
  // START of somebody who has not stopped asks for nothing: it may be an answer, or start a flow.
  if (word === 'stop' || (word === 'start' && status === 'unsubscribed')) {
    await followConsent(tx, message, word);
    return { to: 'consent', word };
  }
  if (status !== 'active') return { to: 'nobody', because: status };
  const handedOver = asks ? await handOver(tx, message) : undefined;
  if (handedOver) return handedOver;
  if (isSilent) return { to: 'nobody', because: 'silence' };
  const fired = listFired(triggers, message.text);
  const startFirst = (candidates: readonly LiveTrigger[]) => start(tx, message, { candidates, begun });
  const interrupting = await startFirst(fired.filter(({ interrupt }) => interrupt));
  if (typeof interrupting === 'object') {
    await interruptFor(tx, message, { from: foreground, to: interrupting.runId });
    return interrupting.routed;
  }
  if (foreground !== null) {
    const given = await giveReply(tx, {
      contactId: message.contactId,
      rootRunId: foreground,
      messageId: message.id,
      seq: message.seq,
      text: message.text,
      attachments: message.attachments,
    });
    if (given) return { to: 'run', run_id: showId('run', given.runId), ...(!given.asks && { kept: true }) };
  }
  const started = await startFirst(fired.filter(({ type }) => type === 'keyword'));
  if (typeof started === 'object') return started.routed;
  if (begun) return toFlow(begun, 'new_contact');
  const replying = started ?? (await startFirst(fired.filter(({ type }) => type === 'default_reply')));
  if (typeof replying === 'object') return replying.routed;
  return { to: 'nobody', because: replying ?? (fired.length > 0 ? 'in_flow_already' : 'no_trigger') };
};

/** Undefined while people have the contact already. */
const handOver = async (tx: EventTransaction, message: Message): Promise<RoutedTo | undefined> => {
  const { accountId, contactId, channelId, text, cause } = message;
  const asked = { accountId, contactId, about: { channelId }, reason: text.trim() };
  const handover = await insertHandover(tx.sql, { ...asked, requestedBy: 'contact' });
  if (!handover) return undefined;
  await tellRequested(tx, { accountId, handover, cause });
  return { to: 'handover', handover_id: showId('handover', handover.id) };
};

const followConsent = async (tx: EventTransaction, message: Message, word: 'stop' | 'start'): Promise<void> => {
  const { accountId, contactId } = message;
  if (word === 'stop') return unsubscribe(tx, { accountId, contactId });
  await tx.sql`
    update contacts set status = 'active', updated_at = now() where id = ${contactId} and status = 'unsubscribed'`;
};

type Candidates = { candidates: readonly LiveTrigger[] } & Pick<ContactState, 'begun'>;

type Started = { runId: string; routed: RoutedTo };

/**
 * Starts the first of these flows that the contact is not in, unless its sender has begun it as a new contact: that one has the message. Answers
 * why no flow may be started now, if none may.
 */
const start = async (
  tx: EventTransaction,
  message: Message,
  { candidates, begun }: Candidates,
): Promise<Started | NotBegun | undefined> => {
  const { accountId, contactId, channelId, cause } = message;
  for (const { flowId, type } of candidates) {
    const told = { name: 'new_message', message: { id: showId('message', message.id), text: message.text } };
    const params = type === 'start_link' ? { payload: readStartPayload(message.text) ?? '' } : {};
    const run = await insertRun(tx, { accountId, contactId, channelId, flowId, params, event: told, cause });
    const by = triggersOfMessages.find((known) => known === type) ?? 'default_reply';
    if (typeof run === 'string') return run;
    if (run) return { runId: run.id, routed: toFlow({ runId: run.id, flowId }, by) };
    if (begun?.flowId === flowId) {
      // Its first pass comes after this: the link of a new contact is no less a parameter for that.
      if (type === 'start_link')
        await tx.sql`update runs set params = ${tx.sql.json(params)} where id = ${begun.runId}`;
      return { runId: begun.runId, routed: toFlow(begun, 'new_contact') };
    }
  }
  return undefined;
};

type ToFlow = Extract<RoutedTo, { to: 'flow' }>;

const toFlow = ({ runId, flowId }: { runId: string; flowId: string }, by: ToFlow['by']): ToFlow => ({
  to: 'flow',
  by,
  flow_id: showId('flow', flowId),
  run_id: showId('run', runId),
});

/** The new run has the conversation from its start on. The one that had it is woken to stop its clock, and gets it back later. */
const interruptFor = async (
  tx: EventTransaction,
  { contactId }: Message,
  { from, to }: { from: string | null; to: string },
): Promise<void> => {
  await moveForeground(tx, { contactId, from, to });
  if (from !== null) await tx.wake(runWork, await listFamily(tx, from));
};
