-- Flows: each has one draft, which changes, and numbered versions, which do not.
create table flows (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'live', 'paused', 'archived')),
  -- The version that a new run takes; null until the first publish.
  version integer,
  draft jsonb not null,
  -- Counts the changes of the draft: what its ETag is made of.
  draft_revision integer not null default 1,
  -- What the draft refers to: 'field:<key>', 'tag:<name>', 'credential:<name>', 'flow:<id>'.
  draft_uses text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  check (version is not null or status in ('draft', 'archived'))
);
create index flows_account on flows (account_id, id);

create table flow_versions (
  flow_id uuid not null references flows,
  version integer not null,
  account_id uuid not null references accounts,
  definition jsonb not null,
  -- As `flows.draft_uses`.
  uses text[] not null default '{}',
  -- Whether a contact can be in it once at a time, and the events that its wait_event blocks wait for.
  one_active boolean not null,
  listens text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (flow_id, version)
);
create index flow_versions_account on flow_versions (account_id);

-- The triggers of live flows, taken from their versions when they are published: what starts a run by itself.
create table flow_triggers (
  flow_id uuid not null references flows on delete cascade,
  place integer not null,
  account_id uuid not null references accounts,
  type text not null,
  -- Ties: the higher priority, then the older flow.
  priority integer not null default 0,
  -- A keyword: how its words are compared, and whether it takes the conversation from a run that has it.
  match text check (match in ('exact', 'contains', 'prefix')),
  words text[],
  interrupt boolean not null default false,
  -- tag_applied: the tag, in lower case; any tag when null.
  tag text,
  primary key (flow_id, place)
);
create index flow_triggers_account on flow_triggers (account_id, type);
