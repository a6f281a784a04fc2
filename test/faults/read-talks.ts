import type { Database } from '../../src/shared/platform/db/connect.ts';

/** What is stored of the talks with a contact, each list in its order. Users are UUIDs. */
export type StoredTalk = {
  runs: string[];
  handovers: string[];
  /** `by`: a user, `flow` or `contact`. `because` says why a message of the contact went to nobody. */
  messages: { id: string; direction: 'inbound' | 'outbound'; text: string; by: string; because: string | null }[];
  /** Its acts and notes; `text` is that of a note, and the assignee of an assignment, as the API shows it. */
  changes: { kind: string; by: string | null; text: string | null }[];
  conversations: { status: string; assignedTo: string | null }[];
};

type Of<Row> = Row & { contactId: string };

/** The talks of an account's contacts, by their contacts' first messages. */
export const readTalks = async (db: Database, accountId: string): Promise<Map<string, StoredTalk>> => {
  const [messages, changes, conversations, contacts] = await Promise.all([
    db<Of<StoredTalk['messages'][number]>[]>`
      select m.contact_id, m.id, m.direction, m.text, m.routed_to ->> 'because' as because,
        case when o.message_id is null then 'contact' when o.run_id is not null then 'flow' else o.user_id::text end as by
      from messages m left join outbound_messages o on o.message_id = m.id where m.account_id = ${accountId} order by m.id`,
    db<Of<StoredTalk['changes'][number]>[]>`
      select v.contact_id, c.kind, c.user_id::text as by, c.text from conversations v join (
        select conversation_id, kind, user_id, data ->> 'assigned_to' as text, revision from conversation_acts
        union all select conversation_id, 'note', user_id, text, revision from conversation_notes
      ) c on c.conversation_id = v.id where v.account_id = ${accountId} order by v.created_at, c.revision`,
    db<Of<StoredTalk['conversations'][number]>[]>`
      select contact_id, status, assigned_to from conversations where account_id = ${accountId} order by created_at`,
    db<Of<Pick<StoredTalk, 'runs' | 'handovers'>>[]>`
      select id as contact_id, array(select status from runs where contact_id = c.id) as runs,
        array(select status from handovers where contact_id = c.id) as handovers
      from contacts c where account_id = ${accountId}`,
  ]);
  return new Map(
    contacts.map(({ contactId, ...state }) => {
      const of = <Row extends object>(rows: readonly Of<Row>[]): Row[] =>
        rows.flatMap(({ contactId: by, ...row }) => (by === contactId ? [row as Row] : []));
      const talk = { ...state, messages: of(messages), changes: of(changes), conversations: of(conversations) };
      return [talk.messages[0]?.text ?? '', talk];
    }),
  );
};
