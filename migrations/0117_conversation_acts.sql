-- What was done to a conversation: the lines between its messages (src/shared/messages/conversations/changes/acts.ts).
create table conversation_acts (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  conversation_id uuid not null references conversations,
  revision bigint not null,
  kind text not null,
  -- The user who did it; null for a flow, the contact, an API key and the clock.
  user_id uuid,
  data jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index conversation_acts_conversation on conversation_acts (conversation_id, id);
create index conversation_acts_revision on conversation_acts (conversation_id, revision);
