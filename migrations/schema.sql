-- Today's tables, to be read: nothing runs this file, and `npm run schema` writes it. Above each table stand the numbers of the migrations
-- that create and alter it, which have the comments. log_partitions() makes the weekly partitions of the logs, which are left out here.

create sequence draft_revisions;

create sequence messages_seq;

create function search_vector(begins text, text text) returns tsvector language sql immutable parallel safe as $function$
  select to_tsvector('pg_catalog.simple', 'w' || begins || replace(translate(
    case when octet_length(text) = length(text) then lower(text collate pg_c_utf8)
      else regexp_replace(
        lower(regexp_replace(normalize(regexp_replace(text, '(\S{64})', '\1 ', 'g'), NFKD), '[\u0300-\u036f\u3099\u309a]', '', 'g') collate pg_c_utf8),
        '([\u3040-\u30ff\u3400-\u9fff])', ' \1 ', 'g') end,
    E'\n\t\r!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~“”„‟‘’‚‛«»‹›–—‐‑―•·¿¡、。「」『』《》〈〉',
    repeat(' ', 66)), ' ', ' w' || begins))
$function$;

create table migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);

-- 0001, 0020, 0022, 0023, 0032, 0088
create table accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'business')),
  webhook_secret bytea not null,
  created_at timestamptz not null default now(),
  plan_changed_at timestamptz,
  plan_told_at timestamptz,
  previous_webhook_secret bytea,
  previous_webhook_secret_until timestamptz,
  time_zone text not null default 'UTC',
  strict_fields boolean not null default false,
  automated boolean not null default false,
  default_country text
);

-- 0001, 0096
create table users (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  email text not null,
  password_hash text not null,
  role text not null check (role in ('owner', 'editor', 'agent')),
  created_at timestamptz not null default now(),
  name text
);
create index users_account on users (account_id, id);
create unique index users_email on users (lower(email));
create unique index users_email_normal on users (lower(email collate "C"));

-- 0001, 0015
create table sessions (
  token_hash bytea primary key,
  user_id uuid not null references users(id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  id uuid not null default uuidv7(),
  last_used_at timestamptz not null default now(),
  address text,
  user_agent text
);
create index sessions_expires on sessions (expires_at);
create index sessions_user on sessions (user_id, id);

-- 0001
create table api_keys (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_id, id);
create index api_keys_in_force on api_keys (account_id, id) where revoked_at is null;
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;

-- 0001, 0005, 0009
create table webhooks (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  variant text not null check (variant in ('api', 'dashboard')),
  url text not null,
  pending_url text,
  events text[] not null check (cardinality(events) > 0),
  secret bytea,
  status text not null check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('unverified', 'failures')),
  disabled_at timestamptz,
  generation integer not null default 1,
  verified_at timestamptz,
  last_check jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deliveries_cancelled_at timestamptz,
  previous_secret bytea,
  previous_secret_until timestamptz,
  constraint webhooks_check check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhooks_check1 check ((variant = 'api') = (secret is not null))
);
create index webhooks_account on webhooks (account_id, id) where deleted_at is null;
create index webhooks_deleted on webhooks (account_id, deleted_at) where deleted_at is not null;
create index webhooks_deleted_at on webhooks (deleted_at) where deleted_at is not null;
create index webhooks_state on webhooks (disabled_reason) where deleted_at is null;
create index webhooks_to_cancel on webhooks (deleted_at) where deleted_at is not null and deliveries_cancelled_at is null;

-- 0001, 0035, 0096, 0125, 0127, 0137
create table channels (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  type text not null,
  name text not null,
  created_at timestamptz not null default now(),
  callback_url text,
  secret bytea,
  previous_secret bytea,
  previous_secret_until timestamptz,
  config jsonb,
  external_ref text,
  deleted_at timestamptz,
  poller uuid,
  poll_until timestamptz,
  paused_until timestamptz,
  connected_base text
);
create index channels_account on channels (account_id, id);
create unique index channels_external_ref on channels (type, external_ref) where external_ref is not null and deleted_at is null;

-- 0001, 0033, 0053
create table contacts (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  first_name text,
  last_name text,
  email text,
  phone text,
  language text,
  time_zone text,
  custom_fields jsonb not null default '{}'::jsonb,
  status text not null default 'active' check (status in ('active', 'unsubscribed', 'blocked')),
  last_channel text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  external_id text,
  automation_paused_until timestamptz,
  foreground_run_id uuid,
  last_channel_id uuid,
  handover_id uuid
);
create index contacts_account on contacts (account_id, id);
create index contacts_by_change on contacts (account_id, updated_at, id);
create index contacts_by_email on contacts (account_id, lower(email) text_pattern_ops, id) where email is not null;
create unique index contacts_by_external_id on contacts (account_id, external_id text_pattern_ops) where external_id is not null;
create index contacts_by_fields on contacts using gin (custom_fields jsonb_path_ops) with (fastupdate=off) where custom_fields <> '{}'::jsonb;
create index contacts_by_last_name on contacts (account_id, lower(last_name) text_pattern_ops, id) where last_name is not null;
create index contacts_by_name on contacts (account_id, lower((first_name || ' ') || coalesce(last_name, '')) text_pattern_ops, id) where first_name is not null;
create index contacts_by_phone on contacts (account_id, phone text_pattern_ops, id) where phone is not null;
create index contacts_inactive on contacts (account_id, status, id) where status <> 'active';

-- 0001, 0130
create table contact_identities (
  channel_id uuid not null references channels(id),
  external_id text not null,
  contact_id uuid not null references contacts(id),
  blocked_at timestamptz,
  primary key (channel_id, external_id)
);
create index contact_identities_contact on contact_identities (contact_id);

-- 0001, 0052, 0113, 0120, 0145
create table conversations (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  contact_id uuid not null references contacts(id),
  channel_id uuid not null references channels(id),
  status text not null default 'open' check (status in ('open', 'closed')),
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  assigned_to uuid,
  read_to uuid,
  revision bigint not null default 0,
  waiting_since timestamptz,
  snoozed_until timestamptz,
  assigned_by_other_at timestamptz
) with (fillfactor=85);
create index conversations_account on conversations (account_id, id);
create index conversations_assigned on conversations (assigned_to, status, id) where assigned_to is not null;
create index conversations_channel on conversations (channel_id, status, id);
create index conversations_contact on conversations (contact_id, id);
create index conversations_inbox on conversations (account_id, status, id);
create unique index conversations_open on conversations (contact_id, channel_id) where status = 'open';
create index conversations_snooze_over on conversations (snoozed_until) where snoozed_until is not null;
create index conversations_snoozed on conversations (account_id, id) where snoozed_until is not null;
create index conversations_unassigned on conversations (account_id, status, id) where assigned_to is null;
create index conversations_waiting on conversations (account_id, waiting_since, id) where waiting_since is not null;

-- 0001, 0017, 0036, 0114, 0129
create table messages (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  conversation_id uuid not null references conversations(id),
  contact_id uuid not null references contacts(id),
  channel_id uuid not null references channels(id),
  direction text not null check (direction in ('inbound', 'outbound')),
  text text not null,
  external_id text,
  sent_at timestamptz not null default now(),
  event_id uuid,
  seq bigint default nextval('messages_seq'::regclass),
  content jsonb,
  routed_to jsonb,
  revision bigint,
  edited_at timestamptz
);
create index messages_account on messages (account_id, id);
create index messages_conversation on messages (conversation_id, id);
create unique index messages_external on messages (channel_id, external_id) where direction = 'inbound';
create index messages_revision on messages (conversation_id, revision) where revision is not null;
create index messages_words on messages using gin (search_vector("right"(account_id::text, 8) || "left"(id::text, 5), text)) with (fastupdate=off);

-- 0001
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
create index events_contact on events (contact_id, id) where name not in ('new_message', 'order_placed');
create index events_name on events (account_id, name, id) where name <> 'new_message';

-- 0001, 0004, 0008, 0011, 0016, 0019, 0027, 0047, 0095
create table deliveries (
  id uuid primary key,
  account_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_name text not null,
  variant text not null check (variant in ('api', 'dashboard')),
  contact_id uuid,
  body bytea not null,
  is_test boolean not null default false,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'failed', 'dropped', 'parked', 'cancelled')),
  round integer not null default 1,
  resumes integer not null default 0,
  attempts_made integer not null default 0,
  first_attempt_at timestamptz,
  first_attempt_generation integer,
  next_attempt_at timestamptz,
  succeeded_at timestamptz,
  finished_at timestamptz,
  sweep_at timestamptz,
  sweeps integer not null default 0,
  created_at timestamptz not null default now(),
  traceparent text,
  parked_at timestamptz,
  round_origins jsonb,
  born_parked boolean not null default false,
  manual_attempts_asked integer not null default 0,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  without_workflow boolean not null default false,
  sender uuid
) partition by range (id);
create index deliveries_account on deliveries (account_id, id);
create index deliveries_cancelled on deliveries (webhook_id, finished_at) where status = 'cancelled';
create index deliveries_contact on deliveries (account_id, contact_id, id) where contact_id is not null;
create index deliveries_due on deliveries (next_attempt_at) where sweep_at is not null and next_attempt_at is not null;
create index deliveries_event on deliveries (account_id, event_name, id);
create index deliveries_in_progress on deliveries (account_id, webhook_id, sweep_at) where sweep_at is not null;
create index deliveries_lost on deliveries (account_id, id) where status in ('failed', 'dropped');
create index deliveries_lost_of_webhook on deliveries (account_id, webhook_id, id) where status in ('failed', 'dropped');
create index deliveries_lost_since on deliveries (webhook_id, finished_at) where status in ('failed', 'dropped');
create index deliveries_open on deliveries (status, id) where status in ('pending', 'retrying', 'parked');
create index deliveries_replayed on deliveries (account_id, webhook_id) where sweep_at is not null and round > 1;
create index deliveries_succeeded on deliveries (webhook_id, succeeded_at) where succeeded_at is not null and not is_test;
create index deliveries_sweep on deliveries (sweep_at) where sweep_at is not null;
create index deliveries_tests on deliveries (account_id, id) where is_test;
create index deliveries_undelivered on deliveries (account_id, status, id) where status <> 'delivered';
create index deliveries_unfinished on deliveries (webhook_id, status, id) where status in ('pending', 'retrying', 'parked');
create index deliveries_webhook on deliveries (account_id, webhook_id, id);

-- 0001, 0013, 0021
create table attempts (
  delivery_id uuid not null,
  round integer not null,
  kind text not null,
  number integer not null,
  account_id uuid not null,
  webhook_id uuid not null,
  outcome text not null check (outcome in ('succeeded', 'failed')),
  reason text,
  status_code integer,
  started_at timestamptz not null,
  duration_ms integer not null,
  address text,
  request_headers jsonb,
  response_headers jsonb,
  response_body bytea,
  response_truncated boolean not null default false,
  detail text,
  primary key (delivery_id, round, kind, number)
) partition by range (delivery_id);
create index attempts_started on attempts using brin (started_at) with (pages_per_range='32', autosummarize='on');
alter table attempts add check (kind in ('scheduled', 'manual', 'check')) not valid;

-- 0001
create table events_default partition of events default;

-- 0001
create table deliveries_default partition of deliveries default;

-- 0001
create table attempts_default partition of attempts default;

-- 0001, 0028, 0045, 0058, 0133, 0135
create table mails (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  kind text not null,
  dedup_key text not null unique,
  recipient text not null,
  subject text not null,
  body text not null,
  status text not null default 'pending',
  resumes integer not null default 0,
  sweep_at timestamptz,
  sweeps integer not null default 0,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  link text,
  link_to uuid,
  user_id uuid,
  conversation_id uuid,
  message_id uuid,
  visitor_id uuid
);
create index mails_account on mails (account_id, id);
create index mails_link_to on mails (link_to, created_at) where link_to is not null;
create index mails_sweep on mails (sweep_at) where sweep_at is not null;
alter table mails add check (status in ('pending', 'pending_link', 'sent', 'refused', 'withdrawn')) not valid;

-- 0001
create table idempotency_keys (
  account_id uuid not null references accounts(id),
  key text not null,
  request_hash bytea not null,
  status integer,
  answer bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- 0002, 0012, 0024, 0029
create table replays (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  webhook_id uuid references webhooks(id),
  variants text[] not null check (cardinality(variants) > 0),
  statuses text[] not null check (cardinality(statuses) > 0),
  since timestamptz,
  until timestamptz,
  pace integer not null check (pace >= 1 and pace <= 200),
  status text not null default 'running' check (status in ('running', 'paused', 'finished', 'cancelled')),
  stop_reason text check (stop_reason in ('webhook_disabled', 'webhook_deleted', 'plan_lapsed')),
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  cursor uuid,
  up_to uuid,
  resumes integer not null default 0,
  sweep_at timestamptz,
  sweeps integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  lost_since timestamptz,
  of_re_enabling boolean not null default false,
  parked_again_cursor uuid,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  constraint replays_check check ((status = 'running') = (sweep_at is not null))
);
create index replays_account on replays (account_id, id);
create unique index replays_open_of_filter on replays (account_id, webhook_id, variants, statuses, since, until, (lost_since is null)) nulls not distinct where status in ('running', 'paused');
create index replays_sweep on replays (sweep_at) where sweep_at is not null;
create index replays_webhook on replays (webhook_id) where webhook_id is not null;

-- 0014
create table user_networks (
  user_id uuid not null references users(id) on delete cascade,
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network)
);

-- 0018
create table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  version text not null,
  roles text[] not null,
  settings jsonb not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);

-- 0031
create table custom_fields (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  key text not null,
  name text not null,
  type text not null check (type in ('text', 'number', 'boolean', 'date', 'datetime', 'list', 'json')),
  options jsonb,
  default_value jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, key)
);
create index custom_fields_account on custom_fields (account_id, id);

-- 0034
create table tags (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  name text not null,
  created_at timestamptz not null default now()
);
create index tags_account on tags (account_id, id);
create unique index tags_name on tags (account_id, lower(name));

-- 0034
create table contact_tags (
  contact_id uuid not null references contacts(id) on delete cascade,
  tag_id uuid not null references tags(id) on delete cascade,
  applied_at timestamptz not null default clock_timestamp(),
  primary key (contact_id, tag_id)
);
create index contact_tags_tag on contact_tags (tag_id, contact_id);

-- 0037, 0092, 0097, 0115, 0122, 0126
create table outbound_messages (
  message_id uuid primary key references messages(id) on delete cascade,
  account_id uuid not null,
  conversation_id uuid not null,
  seq bigint not null,
  status text not null default 'queued',
  reason text,
  status_code integer,
  attempts_made integer not null default 0,
  attempt_since timestamptz,
  unanswered boolean not null default false,
  queued_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz,
  sent_at timestamptz,
  client_ref text,
  run_id uuid,
  run_step integer,
  "position" integer,
  detail text,
  external_ref text,
  read_at timestamptz,
  revision bigint,
  user_id uuid,
  parts_sent smallint not null default 0
);
create unique index outbound_messages_client_ref on outbound_messages (account_id, client_ref) where client_ref is not null;
create index outbound_messages_external_ref on outbound_messages (account_id, external_ref) where external_ref is not null;
create index outbound_messages_queue on outbound_messages (conversation_id, seq) where status = 'queued';
create index outbound_messages_revision on outbound_messages (conversation_id, revision) where revision is not null;
create unique index outbound_messages_step on outbound_messages (run_id, run_step, "position") where run_id is not null;
alter table outbound_messages add check (status in ('queued', 'sent', 'failed', 'unknown', 'withdrawn')) not valid;

-- 0037, 0111
create table sendings (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  conversation_id uuid not null unique,
  contact_id uuid not null,
  channel_id uuid not null,
  resumes integer not null default 0,
  sweep_at timestamptz not null,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  sweeps integer not null default 0,
  sender uuid,
  queued_to bigint
);
create index sendings_sweep on sendings (sweep_at);

-- 0038, 0043
create table flows (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'live', 'paused', 'archived')),
  version integer,
  draft jsonb not null,
  draft_revision integer not null default 1,
  draft_uses text[] not null default '{}'::text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  published_at timestamptz,
  published_revision integer,
  constraint flows_check check (version is not null or (status in ('draft', 'archived')))
);
create index flows_account on flows (account_id, id);

-- 0038, 0087, 0109
create table flow_versions (
  flow_id uuid not null references flows(id),
  version integer not null,
  account_id uuid not null references accounts(id),
  definition jsonb not null,
  uses text[] not null default '{}'::text[],
  one_active boolean not null,
  listens text[] not null default '{}'::text[],
  created_at timestamptz not null default now(),
  block_versions jsonb not null default '{}'::jsonb,
  published_by uuid,
  note text,
  primary key (flow_id, version)
);
create index flow_versions_account on flow_versions (account_id);

-- 0038, 0050
create table flow_triggers (
  flow_id uuid not null references flows(id) on delete cascade,
  place integer not null,
  account_id uuid not null references accounts(id),
  type text not null,
  priority integer not null default 0,
  match text check (match in ('exact', 'contains', 'prefix')),
  words text[],
  interrupt boolean not null default false,
  tag text,
  status text,
  primary key (flow_id, place)
);
create index flow_triggers_account on flow_triggers (account_id, type);

-- 0039, 0084, 0112
create table runs (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  contact_id uuid not null references contacts(id),
  flow_id uuid not null,
  version integer not null,
  root_run_id uuid not null,
  parent_run_id uuid references runs(id) on delete set null,
  parent_step integer,
  depth integer not null default 0,
  params jsonb not null default '{}'::jsonb,
  event jsonb,
  reply jsonb,
  channel_id uuid references channels(id),
  listens text[] not null default '{}'::text[],
  one_active boolean not null,
  status text not null default 'running' check (status in ('running', 'waiting', 'completed', 'failed', 'cancelled')),
  waiting text check (waiting in ('reply', 'delay', 'event', 'child', 'handover', 'foreground', 'silence', 'paused', 'call')),
  step integer not null default 0,
  block_id text,
  waiting_since timestamptz,
  wake_at timestamptz,
  left_ms bigint,
  last_seq bigint not null default 0,
  after_seq bigint not null default 0,
  event_seq bigint not null default 0,
  steps_since_wait integer not null default 0,
  visits jsonb not null default '{}'::jsonb,
  reason text,
  resumes integer not null default 0,
  woken boolean not null default false,
  sweep_at timestamptz,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  sweeps integer not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  origin_run_id uuid,
  without_workflow boolean not null default false,
  constraint runs_check check ((status in ('completed', 'failed', 'cancelled')) = (ended_at is not null)),
  constraint runs_check1 check ((status = 'waiting') = (waiting is not null)),
  constraint runs_check2 check (sweep_at is not null or ended_at is not null),
  foreign key (flow_id, version) references flow_versions(flow_id, version)
);
create index runs_account on runs (account_id, id);
create index runs_contact on runs (contact_id, id);
create index runs_ended on runs (account_id, ended_at) include (status) where ended_at is not null;
create index runs_failed_at on runs (flow_id, block_id, id) where status = 'failed';
create index runs_flow on runs (account_id, flow_id, id);
create index runs_in_flow on runs (flow_id, block_id, id) include (status) where ended_at is null;
create unique index runs_one_active on runs (contact_id, flow_id) where ended_at is null and one_active;
create index runs_open on runs (contact_id, id) where ended_at is null;
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_status on runs (account_id, status, id) where status <> 'completed';
create index runs_sweep on runs (sweep_at) where sweep_at is not null;
create index runs_unseen on runs (account_id) where step = 0 and status = 'running';
create index runs_version on runs (flow_id, version, ended_at);

-- 0039, 0108
create table run_steps (
  run_id uuid not null references runs(id) on delete cascade,
  number integer not null,
  block_id text not null,
  visit integer not null,
  status text not null check (status in ('pending', 'open', 'done')),
  port text,
  reason text,
  tries integer not null default 0,
  request_id uuid,
  entered_at timestamptz not null default clock_timestamp(),
  left_at timestamptz,
  items jsonb,
  primary key (run_id, number)
);

-- 0039
create table run_inputs (
  run_id uuid not null references runs(id) on delete cascade,
  seq bigint not null,
  kind text not null check (kind in ('reply', 'event', 'child_ended', 'resolved')),
  ref_id uuid not null,
  data jsonb not null default '{}'::jsonb,
  taken_by_run uuid,
  taken_by_step integer,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, seq),
  unique (run_id, kind, ref_id)
);

-- 0040, 0107
create table requests (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  run_id uuid not null,
  step integer not null,
  block_id text not null,
  try integer not null,
  state text not null check (state in ('sending', 'answered', 'failed', 'unknown')),
  sent_at timestamptz not null default clock_timestamp(),
  timeout_ms integer not null,
  rendered bytea,
  idempotency_key text not null,
  method text not null,
  url text not null,
  request_headers jsonb,
  request_body bytea,
  status_code integer,
  response_headers jsonb,
  response_body bytea,
  response_truncated boolean not null default false,
  address text,
  duration_ms integer,
  reason text,
  detail text,
  fields jsonb,
  port text,
  item_index integer
) partition by range (id);
create index requests_run on requests (run_id, id);

-- 0040
create table requests_default partition of requests default;

-- 0041, 0104
create table credentials (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  name text not null,
  type text not null,
  param text,
  hosts text[] not null check (cardinality(hosts) > 0),
  secret bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, name),
  constraint credentials_check check ((param is not null) = (type in ('header', 'query')))
);

-- 0042
create table origin_breakers (
  account_id uuid not null references accounts(id),
  origin text not null,
  failures integer not null,
  failed_at timestamptz not null default clock_timestamp(),
  opened_at timestamptz,
  retry_at timestamptz,
  primary key (account_id, origin),
  constraint origin_breakers_check check ((opened_at is null) = (retry_at is null))
);

-- 0049
create table orders (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  contact_id uuid not null references contacts(id),
  external_id text not null,
  number text not null,
  status text not null,
  currency text not null,
  total bigint not null check (total >= 0),
  items jsonb not null,
  metadata jsonb not null default '{}'::jsonb,
  status_history jsonb not null,
  placed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index orders_account on orders (account_id, id);
create index orders_contact on orders (contact_id, id);
create unique index orders_external_id on orders (account_id, external_id);
create index orders_status on orders (account_id, status, id);

-- 0052, 0116
create table conversation_notes (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  conversation_id uuid not null references conversations(id),
  user_id uuid,
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  revision bigint
);
create index conversation_notes_conversation on conversation_notes (conversation_id, id);
create index conversation_notes_revision on conversation_notes (conversation_id, revision) where revision is not null;

-- 0053
create table handovers (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  contact_id uuid not null references contacts(id),
  conversation_id uuid references conversations(id),
  reason text not null,
  requested_by text not null check (requested_by in ('contact', 'flow', 'agent', 'api')),
  run_id uuid,
  status text not null default 'open' check (status in ('open', 'resolved', 'expired')),
  assigned_to uuid,
  outcome text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint handovers_check check ((status = 'open') = (ended_at is null))
);
create index handovers_account on handovers (account_id, id);
create index handovers_assigned on handovers (assigned_to, id) where assigned_to is not null;
create index handovers_contact on handovers (contact_id, id);
create index handovers_expiring on handovers (expires_at) where status = 'open';
create unique index handovers_open on handovers (contact_id) where status = 'open';
create index handovers_status on handovers (account_id, status, id);
create index handovers_unassigned on handovers (account_id, id) where assigned_to is null;

-- 0053
create table handover_settings (
  account_id uuid primary key references accounts(id),
  words text[] not null default '{}'::text[],
  expire_after_hours integer not null
);

-- 0054
create table handover_recipients (
  user_id uuid primary key references users(id) on delete cascade,
  account_id uuid not null references accounts(id)
);
create index handover_recipients_account on handover_recipients (account_id, user_id);

-- 0055
create table late_indexes (
  name text primary key,
  on_table text not null,
  is_unique boolean not null,
  definition text not null,
  replaces text
);

-- 0057, 0097
create table invitations (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'editor', 'agent')),
  invited_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  name text
);
create index invitations_account on invitations (account_id, id);
create unique index invitations_email on invitations (account_id, email);

-- 0057, 0060
create table link_tokens (
  token_hash bytea primary key,
  invitation_id uuid references invitations(id) on delete cascade,
  user_id uuid references users(id) on delete cascade,
  expires_at timestamptz not null,
  sign_in_user_id uuid references users(id) on delete cascade,
  constraint link_tokens_check check (num_nonnulls(invitation_id, user_id, sign_in_user_id) = 1)
);
create index link_tokens_expires on link_tokens (expires_at);
create index link_tokens_invitation on link_tokens (invitation_id) where invitation_id is not null;
create index link_tokens_sign_in on link_tokens (sign_in_user_id) where sign_in_user_id is not null;
create index link_tokens_user on link_tokens (user_id) where user_id is not null;

-- 0070
create table statistics_hours (
  account_id uuid not null,
  webhook_id uuid,
  event_name text,
  hour timestamptz not null,
  events integer,
  failed integer not null,
  dropped integer not null,
  cancelled integer not null,
  attempts integer not null,
  attempts_failed integer not null,
  latency integer[]
);
create unique index statistics_hours_asked on statistics_hours (account_id, webhook_id, event_name, hour) nulls not distinct;
create index statistics_hours_hour on statistics_hours (hour);

-- 0070
create table statistics_progress (
  single boolean primary key default true check (single),
  rolled_up_until timestamptz not null
);

-- 0094
create table run_fan_outs (
  origin_run_id uuid primary key,
  account_id uuid not null references accounts(id),
  hour timestamptz not null,
  begun integer not null,
  refused bigint not null default 0,
  refused_at timestamptz
) with (fillfactor=80);
create index run_fan_outs_hour on run_fan_outs (hour);
create index run_fan_outs_refused on run_fan_outs (refused_at) where refused > 0;

-- 0094
create table run_backlogs (
  account_id uuid primary key references accounts(id),
  runs integer not null,
  counted_at timestamptz not null
);

-- 0098
create table activity_hours (
  account_id uuid not null references accounts(id) on delete cascade,
  hour timestamptz not null,
  messages_received integer not null,
  messages_sent integer not null,
  new_contacts integer not null,
  runs_started integer not null,
  runs_completed integer not null,
  runs_failed integer not null,
  runs_cancelled integer not null,
  first_answers integer[],
  primary key (account_id, hour)
);
create index activity_hours_hour on activity_hours (hour);

-- 0098
create table activity_progress (
  single boolean primary key default true check (single),
  rolled_up_until timestamptz not null
);

-- 0099
create table test_endpoints (
  account_id uuid primary key references accounts(id),
  token text not null unique,
  status integer not null check (status >= 200 and status <= 599),
  body text,
  delay_ms integer not null check (delay_ms >= 0 and delay_ms <= 15000)
);

-- 0100
create table list_views (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  user_id uuid references users(id) on delete cascade,
  list text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index list_views_name on list_views (account_id, list, user_id, lower(name)) nulls not distinct;
create index list_views_user on list_views (user_id) where user_id is not null;

-- 0100
create table list_columns (
  user_id uuid not null references users(id) on delete cascade,
  list text not null,
  columns text[] not null,
  primary key (user_id, list)
);

-- 0101
create table statistics_behind (
  progress text not null check (progress in ('statistics_progress', 'activity_progress')),
  account_id uuid not null references accounts(id) on delete cascade,
  counted_until timestamptz not null,
  worked_at timestamptz not null default clock_timestamp(),
  primary key (progress, account_id)
);

-- 0102
create table clock_changes (
  account_id uuid primary key references accounts(id) on delete cascade,
  last_run_id uuid,
  woken integer not null default 0
);

-- 0103
create table flow_scenarios (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  flow_id uuid not null references flows(id) on delete cascade,
  name text not null,
  simulation jsonb not null,
  expected jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index flow_scenarios_name on flow_scenarios (flow_id, lower(name));

-- 0104
create table oauth2_clients (
  credential_id uuid primary key references credentials(id) on delete cascade,
  account_id uuid not null references accounts(id),
  grant_type text not null check (grant_type in ('client_credentials', 'refresh_token')),
  token_url text not null,
  client_id text not null,
  auth_method text not null check (auth_method in ('basic', 'body')),
  scope text,
  audience text,
  client_secret bytea not null,
  refresh_token bytea,
  access_token bytea,
  version bigint not null default 1,
  renewed_at timestamptz,
  refresh_at timestamptz,
  expires_at timestamptz,
  rejected_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  in_doubt boolean not null default false,
  failures integer not null default 0,
  failure text,
  failed_at timestamptz,
  retry_at timestamptz,
  refused_at timestamptz,
  refusal text,
  constraint oauth2_clients_check check ((refresh_token is not null) = (grant_type = 'refresh_token'))
);
create index oauth2_clients_refused on oauth2_clients (account_id) where refused_at is not null;

-- 0105
create table block_moves (
  flow_id uuid not null,
  account_id uuid not null,
  version integer not null,
  block_id text not null,
  is_entry boolean not null,
  outcome text check (outcome in ('left', 'ended', 'failed', 'cancelled')),
  port text,
  took_ms bigint,
  at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000);
create index block_moves_flow on block_moves (flow_id);

-- 0105
create table block_hours (
  flow_id uuid not null,
  hour timestamptz not null,
  version integer not null,
  block_id text not null,
  outcome text not null,
  port text not null,
  account_id uuid not null references accounts(id) on delete cascade,
  count bigint not null,
  stays integer[],
  primary key (flow_id, hour, version, block_id, outcome, port)
);
create index block_hours_hour on block_hours (hour);

-- 0106
create table retries (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  flow_id uuid not null references flows(id),
  block_id text not null,
  version integer not null,
  reasons text[],
  from_versions integer[],
  run_ids uuid[],
  pace integer not null check (pace >= 1 and pace <= 200),
  status text not null default 'running' check (status in ('running', 'paused', 'finished', 'cancelled')),
  stop_reason text check (stop_reason in ('flow_paused', 'flow_archived', 'version_gone')),
  total integer not null,
  retried integer not null default 0,
  refused integer not null default 0,
  cursor uuid,
  resumes integer not null default 0,
  sweep_at timestamptz,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  sweeps integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  constraint retries_check check ((status = 'running') = (sweep_at is not null))
);
create index retries_account on retries (account_id, id);
create unique index retries_open on retries (flow_id, block_id) where status in ('running', 'paused');
create index retries_sweep on retries (sweep_at) where sweep_at is not null;

-- 0106
create table run_moves (
  run_id uuid not null references runs(id) on delete cascade,
  step integer not null,
  from_version integer not null,
  to_version integer not null,
  moved_at timestamptz not null default clock_timestamp(),
  primary key (run_id, step)
);

-- 0117
create table conversation_acts (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  conversation_id uuid not null references conversations(id),
  revision bigint not null,
  kind text not null,
  user_id uuid,
  data jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default clock_timestamp()
);
create index conversation_acts_conversation on conversation_acts (conversation_id, id);
create index conversation_acts_revision on conversation_acts (conversation_id, revision);

-- 0118
create table conversation_drafts (
  user_id uuid not null references users(id) on delete cascade,
  conversation_id uuid not null references conversations(id),
  kind text not null check (kind in ('reply', 'note')),
  text text not null,
  revision integer not null default (1 + nextval('draft_revisions'::regclass) % 999999999::bigint),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id, kind)
);

-- 0118
create table canned_replies (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  shortcut text not null,
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index canned_replies_account on canned_replies (account_id, id);
create unique index canned_replies_shortcut on canned_replies (account_id, lower(shortcut));

-- 0119, 0134, 0144
create table webchat_visitors (
  id uuid primary key,
  account_id uuid not null,
  channel_id uuid not null references channels(id) on delete cascade,
  external_id text not null,
  identified_as text,
  first_ref text,
  profile jsonb not null default '{}'::jsonb,
  page jsonb,
  created_at timestamptz not null default clock_timestamp(),
  proven_email text,
  wants_no_mail boolean not null default false,
  vouched_email text,
  unique (channel_id, external_id)
);
create unique index webchat_visitors_first on webchat_visitors (channel_id, first_ref) where first_ref is not null;
create unique index webchat_visitors_identified on webchat_visitors (channel_id, identified_as) where identified_as is not null;

-- 0119
create table webchat_tokens (
  hash bytea primary key,
  visitor_id uuid not null references webchat_visitors(id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index webchat_tokens_age on webchat_tokens (coalesce(used_at, created_at));
create index webchat_tokens_visitor on webchat_tokens (visitor_id, created_at);

-- 0124
create table inbox_counts (
  account_id uuid not null,
  stage text not null check (stage in ('open', 'waiting', 'snoozed', 'closed')),
  channel_id uuid not null,
  assigned_to uuid,
  count bigint not null
);
create unique index inbox_counts_cell on inbox_counts (account_id, stage, channel_id, assigned_to) nulls not distinct;

-- 0124
create table inbox_deltas (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  stage text not null,
  channel_id uuid not null,
  assigned_to uuid,
  delta integer not null
);
create index inbox_deltas_account on inbox_deltas (account_id, id);

-- 0128
create table notification_settings (
  user_id uuid primary key references users(id) on delete cascade,
  account_id uuid not null references accounts(id),
  settings jsonb not null,
  mail_minutes integer
);
create index notification_settings_mails on notification_settings (account_id, mail_minutes, user_id) where mail_minutes is not null;

-- 0131
create table media (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  visitor_id uuid,
  state text not null default 'receiving' check (state in ('receiving', 'stored', 'removing')),
  name text not null,
  type text check (type in ('image', 'audio', 'video', 'file')),
  content_type text,
  bytes integer,
  width integer,
  height integer,
  has_thumbnail boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz
);
create index media_of_visitors on media (account_id, created_at) include (visitor_id, bytes) where visitor_id is not null;
create index media_stored on media (created_at) where state = 'stored';
create index media_to_remove on media (created_at) where state <> 'stored' or used_at is null;

-- 0131
create table media_usage (
  account_id uuid primary key references accounts(id),
  bytes bigint not null,
  files integer not null
);

-- 0132
create table unseen_waits (
  conversation_id uuid primary key references conversations(id) on delete cascade,
  account_id uuid not null,
  since timestamptz not null,
  due_at timestamptz not null
);
create index unseen_waits_due on unseen_waits (due_at);

-- 0134
create table visitor_waits (
  visitor_id uuid primary key references webchat_visitors(id) on delete cascade,
  account_id uuid not null,
  conversation_id uuid not null,
  message_id uuid not null,
  due_at timestamptz
);
create index visitor_waits_due on visitor_waits (due_at) where due_at is not null;

-- 0134, 0141
create table webchat_links (
  hash bytea primary key,
  visitor_id uuid not null references webchat_visitors(id) on delete cascade,
  expires_at timestamptz not null,
  token_hash bytea
);
create index webchat_links_visitor on webchat_links (visitor_id, expires_at);

-- 0136, 0139
create table album_parts (
  channel_id uuid not null references channels(id) on delete cascade,
  external_id text not null,
  account_id uuid not null references accounts(id),
  chat text not null,
  album text not null,
  place bigint not null,
  told jsonb,
  arrived_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  recorded_at timestamptz,
  recorded_as text,
  caption text,
  edited_at timestamptz,
  primary key (channel_id, external_id)
);
create index album_parts_held on album_parts (channel_id, chat) where recorded_at is null;
create index album_parts_of_message on album_parts (channel_id, recorded_as) where recorded_as is not null;

create function add_log_index(index_name text, log text, definition text) returns void language plpgsql as $function$
declare
  small_bytes constant bigint := 8 * 1024 * 1024;
  part text;
begin
  execute format('create index %I on only %I %s', index_name, log, definition);
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = log::regclass and pg_relation_size(c.oid) <= small_bytes
  loop
    execute format('create index %I on %I %s', log_index_part(part, index_name), part, definition);
    execute format('alter index %I attach partition %I', index_name, log_index_part(part, index_name));
  end loop;
end $function$;

create function assign_conversation() returns trigger language plpgsql as $function$
declare
  agent uuid := case when new.status = 'open' then new.assigned_to end;
  waiting timestamptz := case when new.status = 'open' and agent is null then date_trunc('milliseconds', new.created_at) end;
begin
  update conversations set assigned_to = agent, waiting_since = waiting, revision = revision + 1
  where id = new.conversation_id and status = 'open' and (assigned_to, waiting_since) is distinct from (agent, waiting);
  return null;
end $function$;

create function build_index(index_name text, table_name text, definition text, is_unique boolean default false, replaces text default null::text) returns void language plpgsql as $function$
declare
  small_bytes constant bigint := 2 * 1024 * 1024;
begin
  if pg_relation_size(table_name::regclass) > small_bytes then
    insert into late_indexes values (index_name, table_name, is_unique, definition, replaces);
    return;
  end if;
  execute format('create %s index %I on %I %s', case when is_unique then 'unique' else '' end, index_name, table_name, definition);
  if replaces is not null then
    execute format('drop index if exists %I', replaces);
  end if;
end $function$;

create function count_conversation() returns trigger language plpgsql as $function$
begin
  if tg_op = 'INSERT' then
    insert into inbox_deltas (account_id, stage, channel_id, assigned_to, delta)
    values (new.account_id, inbox_stage(new), new.channel_id, new.assigned_to, 1);
  elsif (inbox_stage(new), new.assigned_to) is distinct from (inbox_stage(old), old.assigned_to) then
    insert into inbox_deltas (account_id, stage, channel_id, assigned_to, delta)
    values (old.account_id, inbox_stage(old), old.channel_id, old.assigned_to, -1),
      (new.account_id, inbox_stage(new), new.channel_id, new.assigned_to, 1);
  end if;
  return null;
end $function$;

create function delete_old_log_rows(before timestamptz, at_most integer) returns integer language plpgsql as $function$
declare
  log record;
  deleted integer;
  total integer := 0;
begin
  for log in select * from partitioned_logs() order by place loop
    execute format(
      'delete from %1$I where %2$I in (select %2$I from %1$I as l where %2$I < $1 and %3$s limit $2)',
      log.log || '_default', log.id, log.removable)
      using uuid_from_time(before), at_most;
    get diagnostics deleted = row_count;
    total := total + deleted;
  end loop;
  return total;
end $function$;

create function derive_inbox_state() returns trigger language plpgsql as $function$
begin
  new.waiting_since := null;
  if new.assigned_to is null then
    new.assigned_by_other_at := null;
  end if;
  if new.status = 'closed' then
    new.snoozed_until := null;
  elsif new.assigned_to is null then
    select date_trunc('milliseconds', created_at) into new.waiting_since from handovers
    where contact_id = new.contact_id and status = 'open' and conversation_id = new.id;
  end if;
  return new;
end $function$;

create function drop_log_week(week timestamptz) returns boolean language plpgsql set "TimeZone" to 'UTC' as $function$
declare
  log text;
begin
  perform lock_logs(week);
  -- The whole table, because the default partition may have rows of this week.
  if exists (
    select from deliveries
    where id >= uuid_from_time(week) and id < uuid_from_time(week + interval '7 days') and sweep_at is not null
  ) then
    return false;
  end if;
  for log in select logs.log from partitioned_logs() as logs order by place loop
    execute format('drop table if exists %I', log || to_char(week, '_YYYYMMDD'));
  end loop;
  return true;
end $function$;

create function follow_unseen() returns trigger language plpgsql as $function$
declare
  waits constant boolean := new.status = 'open' and new.snoozed_until is null and (new.assigned_to is not null or new.waiting_since is not null);
  is_read constant boolean := new.read_to is not null and (old.read_to is null or new.read_to > old.read_to);
begin
  if is_read or not waits then
    delete from unseen_waits where conversation_id = new.id;
  end if;
  if waits and (not is_read
    or exists (select from messages where conversation_id = new.id and id > new.read_to and direction = 'inbound')) then
    perform note_unseen(new.account_id, new.id);
    if new.assigned_to is distinct from old.assigned_to and new.assigned_by_other_at is not null then
      update unseen_waits set due_at = least(due_at, clock_timestamp()) where conversation_id = new.id;
    end if;
  end if;
  return null;
end $function$;

create function inbox_stage(conversation conversations) returns text language sql immutable as $function$
  select case when conversation.status = 'closed' then 'closed' when conversation.snoozed_until is not null then 'snoozed'
    when conversation.waiting_since is not null then 'waiting' else 'open' end
$function$;

create function is_overtaken(conversation uuid, message uuid) returns boolean language plpgsql as $function$
begin
  return exists (select from messages where conversation_id = conversation and id > message and direction = 'outbound')
    or exists (select from conversations where id = conversation and read_to > message);
end $function$;

create function lock_logs(week timestamptz) returns void language plpgsql set "TimeZone" to 'UTC' set lock_timeout to '0' as $function$
declare
  give_up timestamptz;
  relation text;
  left_ms integer;
begin
  -- This wait holds up nobody.
  perform pg_advisory_xact_lock(hashtext('parley.log_partitions'));
  give_up := clock_timestamp() + interval '200 ms';
  for relation in
    select log || suffix
    from partitioned_logs(), unnest(array['', '_default', to_char(week, '_YYYYMMDD')]) with ordinality as part (suffix, level)
    where to_regclass(log || suffix) is not null
    order by level, place
  loop
    left_ms := extract(epoch from give_up - clock_timestamp()) * 1000;
    if left_ms < 1 then
      raise lock_not_available using message = 'the logs are in use';
    end if;
    perform set_config('lock_timeout', left_ms::text, true);
    execute format('lock table only %I in access exclusive mode', relation);
  end loop;
end $function$;

create function log_index_part(part text, index_name text) returns text language sql immutable return "left"(((part || '_') || index_name), 63);

create function log_partitions(since timestamptz, until timestamptz) returns void language plpgsql set "TimeZone" to 'UTC' as $function$
declare
  week timestamptz;
  log text;
begin
  for week in select generate_series(date_trunc('week', since), until, interval '7 days') loop
    for log in
      select logs.log from partitioned_logs() as logs
      where to_regclass(logs.log || to_char(week, '_YYYYMMDD')) is null order by place
    loop
      perform lock_logs(week);
      begin
        execute format(
          'create table if not exists %I partition of %I for values from (%L) to (%L)',
          log || to_char(week, '_YYYYMMDD'), log, uuid_from_time(week), uuid_from_time(week + interval '7 days'));
      exception
        when check_violation then
          raise warning 'no partition of % for the week of %: %', log, week, sqlerrm;
      end;
    end loop;
  end loop;
exception
  when lock_not_available or deadlock_detected then
    raise warning 'no partitions for the week of %: %', week, sqlerrm;
end $function$;

create function next_revision(conversation_id uuid) returns bigint language sql as $function$
  update conversations set revision = revision + 1 where id = conversation_id returning revision
$function$;

create function note_unseen(account uuid, conversation uuid) returns void language sql as $function$
  insert into unseen_waits (conversation_id, account_id, since, due_at)
  select conversation, account, clock_timestamp(), clock_timestamp() + make_interval(mins => soonest.mail_minutes) from (
    select mail_minutes from notification_settings
    where account_id = account and mail_minutes is not null order by mail_minutes limit 1) as soonest
  on conflict (conversation_id) do nothing
$function$;

create function partitioned_logs() returns table(place integer, log text, id text, removable text) language sql immutable as $function$
  values
    (1, 'events', 'id', 'true'),
    (2, 'deliveries', 'id', 'not l.in_progress'),
    -- After the deliveries: the attempts of one that stays do so, too.
    (3, 'attempts', 'delivery_id', 'not exists (select from deliveries d where d.id = l.delivery_id)'),
    (4, 'requests', 'id', 'true')
$function$;

create function revise_conversation() returns trigger language plpgsql as $function$
begin
  perform next_revision(new.id);
  return null;
end $function$;

create function revise_message() returns trigger language plpgsql as $function$
begin
  update messages set revision = next_revision(new.conversation_id) where id = new.id;
  return null;
end $function$;

create function revise_sending() returns trigger language plpgsql as $function$
begin
  update outbound_messages set revision = next_revision(new.conversation_id) where message_id = new.message_id;
  return null;
end $function$;

create function take_handover() returns trigger language plpgsql as $function$
begin
  update handovers set assigned_to = new.assigned_to
  where contact_id = new.contact_id and status = 'open' and conversation_id = new.id and assigned_to is distinct from new.assigned_to;
  return null;
end $function$;

create function take_own_handover() returns trigger language plpgsql as $function$
begin
  if new.assigned_to is null then
    select assigned_to into new.assigned_to from conversations where id = new.conversation_id and status = 'open';
  end if;
  return new;
end $function$;

create function take_revision() returns trigger language plpgsql as $function$
begin
  new.revision := next_revision(new.conversation_id);
  return new;
end $function$;

create function uuid_from_time(at timestamptz) returns uuid language sql immutable parallel safe return ((lpad(to_hex(((extract(epoch from at) * (1000)::numeric))::bigint), 12, '0') || repeat('0', 20)))::uuid;

create function wake_conversation() returns trigger language plpgsql as $function$
declare
  talk record;
begin
  select account_id, status, assigned_to, waiting_since, snoozed_until into talk from conversations where id = new.conversation_id;
  if talk.snoozed_until is not null then
    update conversations set snoozed_until = null where id = new.conversation_id;
  elsif talk.status = 'open' and (talk.assigned_to is not null or talk.waiting_since is not null) then
    perform note_unseen(talk.account_id, new.conversation_id);
  end if;
  return null;
end $function$;

create trigger conversation_notes_revision before insert on conversation_notes for each row when (new.revision is null) execute function take_revision();

create trigger conversations_counted after insert on conversations for each row execute function count_conversation();

create trigger conversations_inbox_state before update of status, assigned_to on conversations for each row when (new.status is distinct from old.status or new.assigned_to is distinct from old.assigned_to) execute function derive_inbox_state();

create trigger conversations_recounted after update on conversations for each row when (new.status is distinct from old.status or new.assigned_to is distinct from old.assigned_to or new.waiting_since is distinct from old.waiting_since or new.snoozed_until is distinct from old.snoozed_until) execute function count_conversation();

create trigger conversations_revision after update of status, assigned_to, read_to on conversations for each row when (new.revision = old.revision and (new.status is distinct from old.status or new.assigned_to is distinct from old.assigned_to or new.read_to is distinct from old.read_to)) execute function revise_conversation();

create trigger conversations_take_handover after update of assigned_to on conversations for each row when (new.status = 'open' and new.assigned_to is distinct from old.assigned_to) execute function take_handover();

create trigger conversations_unseen after update of status, assigned_to, snoozed_until, waiting_since, read_to on conversations for each row when (new.status is distinct from old.status or new.assigned_to is distinct from old.assigned_to or new.snoozed_until is distinct from old.snoozed_until or new.waiting_since is distinct from old.waiting_since or new.read_to is distinct from old.read_to) execute function follow_unseen();

create trigger handovers_adopted before update of conversation_id on handovers for each row when (new.status = 'open' and old.conversation_id is null and new.conversation_id is not null) execute function take_own_handover();

create trigger handovers_changed after update of status, assigned_to, conversation_id on handovers for each row when (new.conversation_id is not null and (old.status = 'open' or new.status = 'open') and (new.status is distinct from old.status or new.assigned_to is distinct from old.assigned_to or new.conversation_id is distinct from old.conversation_id)) execute function assign_conversation();

create trigger handovers_requested after insert on handovers for each row when (new.status = 'open' and new.conversation_id is not null) execute function assign_conversation();

create trigger handovers_taken before insert on handovers for each row when (new.status = 'open' and new.conversation_id is not null) execute function take_own_handover();

create trigger messages_revision before insert on messages for each row when (new.revision is null) execute function take_revision();

create trigger messages_routed_revision after update of routed_to on messages for each row when (old.routed_to is not null and new.routed_to is distinct from old.routed_to and not new.revision is distinct from old.revision) execute function revise_message();

create trigger messages_wake after insert on messages for each row when (new.direction = 'inbound') execute function wake_conversation();

create trigger outbound_messages_revision after update of status, reason, attempts_made, next_attempt_at, read_at on outbound_messages for each row when (not new.revision is distinct from old.revision and (new.status is distinct from old.status or new.reason is distinct from old.reason or new.attempts_made is distinct from old.attempts_made or new.next_attempt_at is distinct from old.next_attempt_at or new.read_at is distinct from old.read_at)) execute function revise_sending();
