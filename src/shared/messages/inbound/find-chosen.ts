import type { Sql } from '../../platform/db/connect.ts';
import { showId } from '../../ids.ts';
import type { Told } from '../channels/kind.ts';

type Choice = Extract<Told, { type: 'choice' }>;

/**
 * The message that choosing a quick reply comes to; undefined where that says nothing: the contact never got such a quick reply, or it belongs to a
 * question that is over while a run has the conversation, and so must not answer what the run asks by now. A question is answered by one of its
 * quick replies once. Ids are UUIDs.
 */
export const findChosen = async (
  sql: Sql,
  { accountId, channelId }: { accountId: string; channelId: string },
  { ref, messageId, index, sender }: Choice,
): Promise<{ message_id: string; sender: Choice['sender']; text: string } | undefined> => {
  const [row] = await sql<{ text: string | null; isAnswer: boolean; isFree: boolean }[]>`
    select m.content -> 'quick_replies' ->> ${index}::int as text, family.id is null as is_free,
      coalesce(family.waiting = 'reply' and family.id = o.run_id and family.step = o.run_step, false) as is_answer
    from messages m join outbound_messages o on o.message_id = m.id join contacts c on c.id = m.contact_id
    join contact_identities i on i.channel_id = m.channel_id and i.contact_id = m.contact_id and i.external_id = ${sender.external_id}
    left join lateral (
      select r.id, r.waiting, r.step from runs r
      where r.contact_id = c.id and r.root_run_id = c.foreground_run_id and r.ended_at is null order by r.id desc limit 1
    ) as family on true
    where m.id = ${messageId} and m.account_id = ${accountId} and m.channel_id = ${channelId}`;
  if (!row || row.text === null || !(row.isAnswer || row.isFree)) return undefined;
  return { message_id: `choice:${row.isAnswer ? showId('message', messageId) : ref}`, sender, text: row.text };
};
