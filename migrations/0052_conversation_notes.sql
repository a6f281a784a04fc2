-- Who looks after a conversation, and how far agents have read it.
alter table conversations
  -- A user of the account.
  add column assigned_to uuid,
  -- The last message that an agent has seen.
  add column read_to uuid;
-- The lists of one user's conversations, and of those that nobody looks after.
create index conversations_assigned on conversations (assigned_to, status, id) where assigned_to is not null;
create index conversations_unassigned on conversations (account_id, status, id) where assigned_to is null;

-- What agents write for one another. It is never sent to the contact.
create table conversation_notes (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  conversation_id uuid not null references conversations,
  -- Null: written with an API key.
  user_id uuid,
  text text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index conversation_notes_conversation on conversation_notes (conversation_id, id);
