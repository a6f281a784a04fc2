import type { EventTransact, EventTransaction } from '../../facts/tell.ts';
import { inLine } from '../../platform/bulkhead/asker.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Received } from './message.ts';
import { receiveInTransaction } from './receive-in-transaction.ts';
import type { InboundMessage } from './schema.ts';
import { senderLine, type Over } from './sender-line.ts';

/** A quick reply that a contact has chosen: its message is a UUID, `index` is its place. The same `message_id` again is the same choice. */
export type Choice = { message_id: string; messageId: string; index: number; sender: InboundMessage['sender'] };

/**
 * Records the message that choosing a quick reply comes to, and answers it. Undefined where that says nothing: the contact never got such a quick
 * reply, or it belongs to a question that is over while a run that may speak has the conversation, and so must not answer what the run asks by now.
 * A question is answered by one of its quick replies once.
 */
export const receiveChoice = (
  { transact }: { transact: EventTransact },
  over: Over,
  choice: Choice,
): Promise<Received | undefined> =>
  inLine(senderLine(over, choice.sender), () => transact((tx) => receiveInTurn(tx, over, choice)));

const receiveInTurn = async (tx: EventTransaction, over: Over, choice: Choice): Promise<Received | undefined> => {
  const { message_id, sender } = choice;
  // A statement of its own: what is asked under the lock cannot be answered by anybody else meanwhile.
  await tx.sql`
    select from contact_identities i join contacts c on c.id = i.contact_id
    where i.channel_id = ${over.channelId} and i.external_id = ${sender.external_id} for no key update of c`;
  const text = await findChosen(tx.sql, over, choice);
  return text === undefined ? undefined : receiveInTransaction(tx, { ...over, message: { message_id, sender, text } });
};

/** The text of a quick reply that says something now, or has said it before under this name. */
const findChosen = async (
  sql: Sql,
  { accountId, channelId }: Over,
  { message_id, messageId, index, sender }: Choice,
): Promise<string | undefined> => {
  const [row] = await sql<{ text: string | null }[]>`
    select m.content -> 'quick_replies' ->> ${index}::int as text
    from messages m join outbound_messages o on o.message_id = m.id join contacts c on c.id = m.contact_id
    join contact_identities i on i.channel_id = m.channel_id and i.contact_id = m.contact_id and i.external_id = ${sender.external_id}
    left join lateral (
      select r.id, r.waiting, r.step, r.root_run_id, r.after_seq from runs r
      where r.contact_id = c.id and r.root_run_id = c.foreground_run_id and r.ended_at is null order by r.id desc limit 1
    ) as family on true
    where m.id = ${messageId} and m.account_id = ${accountId} and m.channel_id = ${channelId} and (
      family.id is null or c.handover_id is not null or c.automation_paused_until > clock_timestamp() or (
        family.waiting = 'reply' and family.id = o.run_id and family.step = o.run_step and not exists (
          select from run_inputs input where input.run_id = family.root_run_id and input.kind = 'reply'
            and input.taken_by_step is null and input.seq > family.after_seq)
      ) or exists (
        select from messages known
        where known.channel_id = m.channel_id and known.external_id = ${message_id} and known.direction = 'inbound'
      )
    )`;
  return row?.text ?? undefined;
};
