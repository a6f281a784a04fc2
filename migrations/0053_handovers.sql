-- Handovers: people deal with a contact in place of flows, until one of them resolves it or its time is over.
create table handovers (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  contact_id uuid not null references contacts,
  -- What it is about; null where the contact had no open conversation.
  conversation_id uuid references conversations,
  reason text not null,
  requested_by text not null check (requested_by in ('contact', 'flow', 'agent', 'api')),
  -- The run whose block requested it. Runs are deleted after a while.
  run_id uuid,
  status text not null default 'open' check (status in ('open', 'resolved', 'expired')),
  -- A user of the account.
  assigned_to uuid,
  -- What became of it, in the words of who resolved it.
  outcome text,
  created_at timestamptz not null,
  -- When it ends by itself.
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((status = 'open') = (ended_at is null))
);
create unique index handovers_open on handovers (contact_id) where status = 'open';
create index handovers_expiring on handovers (expires_at) where status = 'open';
create index handovers_account on handovers (account_id, id);
create index handovers_status on handovers (account_id, status, id);
create index handovers_contact on handovers (contact_id, id);
create index handovers_assigned on handovers (assigned_to, id) where assigned_to is not null;
create index handovers_unassigned on handovers (account_id, id) where assigned_to is null;

-- What an account has decided on handovers; an account without a row has decided nothing.
create table handover_settings (
  account_id uuid primary key references accounts,
  -- A contact asks for a person by a message that is one of these, as `normalizeText` makes them.
  words text[] not null default '{}',
  -- How long a handover stays open at most.
  expire_after_hours integer not null
);

-- The open handover of a contact, while automation is silent for it. Locking the contact reads it as its last change has left it.
alter table contacts add column handover_id uuid;
