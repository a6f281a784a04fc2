-- Sessions that their user can tell apart, list and end, and that end when they are not used. Those that a process of the
-- version before opens or goes on with count from now.
alter table sessions
  add column id uuid not null default uuidv7(),
  add column last_used_at timestamptz not null default now(),
  -- Who used it last: an address in its one form, and the beginning of the User-Agent.
  add column address text,
  add column user_agent text;
create index sessions_user on sessions (user_id, id);
