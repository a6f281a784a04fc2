-- Visitors of webchats (src/shared/messages/webchat/visitors.ts). `external_id` is that of the sender in their messages.
create table webchat_visitors (
  id uuid primary key,
  account_id uuid not null,
  channel_id uuid not null references channels on delete cascade,
  external_id text not null,
  -- Who the account's server says that the visitor is; null for one of whom it says nothing.
  identified_as text,
  -- The client's name of the first message of a visitor that has begun with it.
  first_ref text,
  -- What the page says of the visitor, and the page itself. Nobody vouches for either.
  profile jsonb not null default '{}',
  page jsonb,
  created_at timestamptz not null default clock_timestamp(),
  unique (channel_id, external_id)
);
create unique index webchat_visitors_identified on webchat_visitors (channel_id, identified_as) where identified_as is not null;
create unique index webchat_visitors_first on webchat_visitors (channel_id, first_ref) where first_ref is not null;

-- The hashes of what browsers name themselves by. `used_at` is noted once a day; null until the browser has shown that it has the token.
create table webchat_tokens (
  hash bytea primary key,
  visitor_id uuid not null references webchat_visitors on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index webchat_tokens_visitor on webchat_tokens (visitor_id, created_at);
create index webchat_tokens_age on webchat_tokens (coalesce(used_at, created_at));
