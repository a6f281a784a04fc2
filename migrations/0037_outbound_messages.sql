-- A contact's conversations: the way to its messages, and to the channel that it used last. This index comes before the table below, which
-- locks `messages` for a moment, because whoever receives a message also writes first the conversation, then the message.
create index conversations_contact on conversations (contact_id, id);

-- The sending side of an outbound message.
create table outbound_messages (
  message_id uuid primary key references messages on delete cascade,
  account_id uuid not null,
  conversation_id uuid not null,
  -- That of the message.
  seq bigint not null,
  -- 'unknown': it was sent, and nobody knows whether it arrived.
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'unknown')),
  -- Why it is not sent, or why its last attempt failed, and what that was answered.
  reason text,
  status_code integer,
  attempts_made integer not null default 0,
  -- Since when an attempt is under way that is not recorded yet.
  attempt_since timestamptz,
  -- Whether an attempt was sent of which no answer came.
  unanswered boolean not null default false,
  queued_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz,
  sent_at timestamptz,
  -- The caller's own name for it: the same one again is the same message.
  client_ref text,
  -- The step of a run that sends it, and its place among the messages of the step.
  run_id uuid,
  run_step integer,
  position integer
);
create unique index outbound_messages_client_ref on outbound_messages (account_id, client_ref) where client_ref is not null;
create unique index outbound_messages_step on outbound_messages (run_id, run_step, position) where run_id is not null;
create index outbound_messages_queue on outbound_messages (conversation_id, seq) where status = 'queued';

-- A conversation with queued messages has one row here, whose workflow sends them one after the other. The row goes with the last of them.
create table sendings (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  conversation_id uuid not null unique,
  contact_id uuid not null,
  channel_id uuid not null,
  -- Workflows started to carry it on after one was lost.
  resumes integer not null default 0,
  -- When the sweep looks whether a workflow still carries it.
  sweep_at timestamptz not null,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  sweeps integer not null default 0
);
create index sendings_sweep on sendings (sweep_at);
