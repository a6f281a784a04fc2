-- The core: accounts and who may act for them, webhooks, contacts and what they write, and the log of events,
-- deliveries and attempts. Ids are UUIDv7, made by the service or by uuidv7().

create table accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'business')),
  -- The secret of all the account's dashboard webhooks (variant B), sealed; see src/shared/secrets.
  webhook_secret bytea not null,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('owner', 'editor', 'agent')),
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
create index users_account on users (account_id, id);

create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_expires on sessions (expires_at);

create table api_keys (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_id, id);

create table webhooks (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  -- 'api' is variant A of the specification, 'dashboard' is variant B.
  variant text not null check (variant in ('api', 'dashboard')),
  url text not null,
  -- Variant B: a changed url takes force when its challenge has passed; until then it waits here.
  pending_url text,
  events text[] not null check (cardinality(events) > 0),
  -- Variant A's own secret, sealed; variant B uses the account's.
  secret bytea,
  status text not null check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('unverified', 'failures')),
  disabled_at timestamptz,
  -- Counts re-enablings and changes of url or secret: a failure seen under an older one disables nothing.
  generation integer not null default 1,
  verified_at timestamptz,
  -- What the endpoint answered to the last challenge or health check.
  last_check jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((variant = 'api') = (secret is not null))
);
create index webhooks_account on webhooks (account_id, id) where deleted_at is null;

create table channels (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  type text not null,
  name text not null,
  created_at timestamptz not null default now()
);
create index channels_account on channels (account_id, id);

create table contacts (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  first_name text,
  last_name text,
  email text,
  phone text,
  language text,
  time_zone text,
  custom_fields jsonb not null default '{}',
  status text not null default 'active' check (status in ('active', 'unsubscribed', 'blocked')),
  -- The type of the channel that the contact used last; events without a conversation carry it.
  last_channel text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index contacts_account on contacts (account_id, id);
create index contacts_email on contacts (account_id, lower(email), id) where email is not null;
create index contacts_phone on contacts (account_id, phone, id) where phone is not null;

-- Who a channel's sender is: its external id leads to one contact.
create table contact_identities (
  channel_id uuid not null references channels,
  external_id text not null,
  contact_id uuid not null references contacts,
  primary key (channel_id, external_id)
);
create index contact_identities_contact on contact_identities (contact_id);

create table conversations (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  contact_id uuid not null references contacts,
  channel_id uuid not null references channels,
  status text not null default 'open' check (status in ('open', 'closed')),
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index conversations_open on conversations (contact_id, channel_id) where status = 'open';
create index conversations_account on conversations (account_id, id);

create table messages (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  conversation_id uuid not null references conversations,
  contact_id uuid not null references contacts,
  channel_id uuid not null references channels,
  direction text not null check (direction in ('inbound', 'outbound')),
  text text not null,
  -- The sender's own id of an inbound message: the same one twice is one message.
  external_id text,
  sent_at timestamptz not null default now()
);
create unique index messages_external on messages (channel_id, external_id) where direction = 'inbound';
create index messages_conversation on messages (conversation_id, id);

-- The logs are range-partitioned on their time-sortable ids: retention drops whole partitions, and a primary key on the
-- id stays unique. log_partitions() makes the weeks ahead; the default ones catch what a wrong clock would lose.
create table events (
  id uuid primary key,
  account_id uuid not null,
  name text not null,
  contact_id uuid,
  channel text not null,
  data jsonb not null,
  occurred_at timestamptz not null
) partition by range (id);
create index events_account on events (account_id, id);

create table deliveries (
  id uuid primary key,
  account_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_name text not null,
  variant text not null check (variant in ('api', 'dashboard')),
  contact_id uuid,
  -- The bytes made when the event happened, sent unchanged on every attempt.
  body bytea not null,
  -- A test event: one attempt, counted for nothing.
  is_test boolean not null default false,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'failed', 'dropped', 'parked', 'cancelled')),
  -- One round is one walk through the ladder; the first one, and one more per replay.
  round integer not null default 1,
  -- Workflows started to carry on this round after one was lost.
  resumes integer not null default 0,
  -- Of this round: the ladder's attempts recorded, and the first one's start and generation of the webhook.
  attempts_made integer not null default 0,
  first_attempt_at timestamptz,
  first_attempt_generation integer,
  next_attempt_at timestamptz,
  succeeded_at timestamptz,
  finished_at timestamptz,
  -- When the sweep looks whether a workflow still carries this round; null when the round is over.
  sweep_at timestamptz,
  sweeps integer not null default 0,
  created_at timestamptz not null default now()
) partition by range (id);
create index deliveries_account on deliveries (account_id, id);
create index deliveries_webhook on deliveries (account_id, webhook_id, id);
create index deliveries_undelivered on deliveries (account_id, status, id) where status <> 'delivered';
-- What the delivery log opens on, of all webhooks or of one.
create index deliveries_lost on deliveries (account_id, id) where status in ('failed', 'dropped');
create index deliveries_lost_of_webhook on deliveries (account_id, webhook_id, id) where status in ('failed', 'dropped');
create index deliveries_succeeded on deliveries (webhook_id, succeeded_at) where succeeded_at is not null and not is_test;
create index deliveries_sweep on deliveries (sweep_at) where sweep_at is not null;
create index deliveries_unfinished on deliveries (webhook_id, status, id) where status in ('pending', 'retrying', 'parked');

create table attempts (
  delivery_id uuid not null,
  round integer not null,
  -- 'scheduled' is the ladder's, 'manual' an extra one by "retry now".
  kind text not null check (kind in ('scheduled', 'manual')),
  number integer not null,
  account_id uuid not null,
  webhook_id uuid not null,
  outcome text not null check (outcome in ('succeeded', 'failed')),
  -- Why it failed: 'status' for an answer that does not count as success, else what kept the answer away.
  reason text,
  status_code integer,
  started_at timestamptz not null,
  duration_ms integer not null,
  address text,
  request_headers jsonb,
  response_headers jsonb,
  response_body bytea,
  response_truncated boolean not null default false,
  primary key (delivery_id, round, kind, number)
) partition by range (delivery_id);

create function uuid_from_time(at timestamptz) returns uuid
language sql immutable parallel safe
return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Makes the weekly partitions of the logs that cover [since, until], where they are missing. A new one needs a lock that
-- waits for every reader of the log and holds up every writer meanwhile: it gives up after a second, for the next call is in
-- time as well. A week of which the default partition has rows already (ids by a clock far ahead) stays there.
create function log_partitions(since timestamptz, until timestamptz) returns void
language plpgsql set timezone to 'UTC' set lock_timeout to '1s' as $$
declare
  parent text;
  week timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('parley.log_partitions'));
  for week in select generate_series(date_trunc('week', since), until, interval '7 days') loop
    foreach parent in array array['events', 'deliveries', 'attempts'] loop
      begin
        execute format(
          'create table if not exists %I partition of %I for values from (%L) to (%L)',
          parent || to_char(week, '_YYYYMMDD'), parent,
          uuid_from_time(week), uuid_from_time(week + interval '7 days'));
      exception
        when check_violation or lock_not_available then
          raise warning 'no partition of % for the week of %: %', parent, week, sqlerrm;
      end;
    end loop;
  end loop;
end $$;

create table events_default partition of events default;
create table deliveries_default partition of deliveries default;
create table attempts_default partition of attempts default;

create table mails (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  kind text not null check (kind in ('webhook_disabled')),
  -- What the mail is about, once: a second mail with the same key is not made.
  dedup_key text not null unique,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'refused')),
  resumes integer not null default 0,
  sweep_at timestamptz,
  sweeps integer not null default 0,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mails_sweep on mails (sweep_at) where sweep_at is not null;
create index mails_account on mails (account_id, id);

create table idempotency_keys (
  account_id uuid not null references accounts,
  key text not null,
  -- SHA-256 of method, path and body: the same key with another request is refused.
  request_hash bytea not null,
  -- The answer to give again, sealed, for it may hold a secret; see src/shared/idempotency.
  status integer,
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);
