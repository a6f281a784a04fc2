-- Orders of contacts, as the account's own system tells them. An order stays with its contact.
create table orders (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  contact_id uuid not null references contacts,
  -- Its id in that system.
  external_id text not null,
  number text not null,
  -- A word of the account's own, in small letters.
  status text not null,
  -- ISO 4217; the total is in its minor units.
  currency text not null,
  total bigint not null check (total >= 0),
  items jsonb not null,
  metadata jsonb not null default '{}',
  -- Its latest statuses with the time from which it had each, the present one last: [{"status", "changed_at"}].
  status_history jsonb not null,
  placed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index orders_external_id on orders (account_id, external_id);
create index orders_account on orders (account_id, id);
create index orders_status on orders (account_id, status, id);
create index orders_contact on orders (contact_id, id);
