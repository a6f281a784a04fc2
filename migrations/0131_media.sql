-- Files of messages. The row is there before its file, and goes after it, so that no file is left behind.
create table media (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  -- The visitor of a webchat who has sent it: nobody else's messages over a webchat may have it.
  visitor_id uuid,
  -- `receiving` until its file is whole; `removing` until its file is gone.
  state text not null default 'receiving' check (state in ('receiving', 'stored', 'removing')),
  name text not null,
  type text check (type in ('image', 'audio', 'video', 'file')),
  content_type text,
  bytes integer,
  width integer,
  height integer,
  has_thumbnail boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- When a message used it first. Without that it is removed after a day.
  used_at timestamptz
);
create index media_to_remove on media (created_at) where state <> 'stored' or used_at is null;

create table media_usage (
  account_id uuid primary key references accounts(id),
  bytes bigint not null,
  files integer not null
);
