-- What flows prove themselves with to other services, sealed and bound to hosts.
create table credentials (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  -- What flows refer to it by: it never changes.
  name text not null,
  type text not null check (type in ('bearer', 'basic', 'header', 'query')),
  -- The name of the header, or of the parameter in the query.
  param text check ((param is not null) = (type in ('header', 'query'))),
  -- Names, `*.example.com`, or addresses: it is sent to no other.
  hosts text[] not null check (cardinality(hosts) > 0),
  -- Sealed: the token or value, or `user:password` of basic; see src/shared/platform/secrets.
  secret bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, name)
);
