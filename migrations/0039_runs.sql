-- Runs: one contact on its way through one version of a flow. The row is the program counter: the workflow waits, calls, and asks it
-- what is next. Whoever touches a contact's automation locks the contact first, then runs in the order of their ids.
create table runs (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  contact_id uuid not null references contacts,
  flow_id uuid not null,
  version integer not null,
  -- The run that started this one by a start_flow block, if any, and the first one of this family.
  root_run_id uuid not null,
  parent_run_id uuid references runs on delete set null,
  parent_step integer,
  -- How many events and flows caused one another before this run.
  depth integer not null default 0,
  params jsonb not null default '{}',
  -- What triggered the run or woke it last, and the contact's last answer: for templates.
  event jsonb,
  reply jsonb,
  -- Where its messages go: the channel of the message that triggered it.
  channel_id uuid references channels,
  -- The names of the events that a wait_event block of its version waits for.
  listens text[] not null default '{}',
  one_active boolean not null,
  status text not null default 'running' check (status in ('running', 'waiting', 'completed', 'failed', 'cancelled')),
  waiting text check (waiting in ('reply', 'delay', 'event', 'child', 'handover', 'foreground', 'silence', 'paused', 'call')),
  -- The step that it is at; 0 before the first.
  step integer not null default 0,
  block_id text,
  waiting_since timestamptz,
  -- When its wait is over. A wait that is suspended keeps what was left of it instead.
  wake_at timestamptz,
  left_ms bigint,
  -- In the order of messages_seq: its last message to the contact; the message after which an answer counts; the last event that it took.
  last_seq bigint not null default 0,
  after_seq bigint not null default 0,
  event_seq bigint not null default 0,
  steps_since_wait integer not null default 0,
  -- How often each block was entered.
  visits jsonb not null default '{}',
  -- Why it ended as it did, or why it waits.
  reason text,
  resumes integer not null default 0,
  -- Something came for it that its workflow has not looked at.
  woken boolean not null default false,
  -- Null once the run has ended and its workflow knows: one that was cancelled is woken to hear of it.
  sweep_at timestamptz,
  in_progress boolean generated always as (sweep_at is not null) virtual,
  sweeps integer not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  foreign key (flow_id, version) references flow_versions,
  check ((status in ('completed', 'failed', 'cancelled')) = (ended_at is not null)),
  check ((status = 'waiting') = (waiting is not null)),
  check (sweep_at is not null or ended_at is not null)
);
create unique index runs_one_active on runs (contact_id, flow_id) where ended_at is null and one_active;
create index runs_open on runs (contact_id, id) where ended_at is null;
create index runs_sweep on runs (sweep_at) where sweep_at is not null;
create index runs_in_flow on runs (flow_id, block_id, id) where ended_at is null;
create index runs_account on runs (account_id, id);
create index runs_flow on runs (account_id, flow_id, id);
create index runs_contact on runs (contact_id, id);
create index runs_failed on runs (account_id, id) where status = 'failed';
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;

create table run_steps (
  run_id uuid not null references runs on delete cascade,
  number integer not null,
  block_id text not null,
  -- How often the run has come to this block.
  visit integer not null,
  -- 'pending' until what the block needs is there: the foreground, an end of silence.
  status text not null check (status in ('pending', 'open', 'done')),
  port text,
  reason text,
  -- Invalid answers to an ask.
  tries integer not null default 0,
  -- The last call of an external_request.
  request_id uuid,
  entered_at timestamptz not null default clock_timestamp(),
  left_at timestamptz,
  primary key (run_id, number)
);

-- What came for a run and waits to be taken by one of its steps. Replies lie with the first run of the family. `seq` is of messages_seq, a
-- reply's that of its message: one order for all.
create table run_inputs (
  run_id uuid not null references runs on delete cascade,
  seq bigint not null,
  kind text not null check (kind in ('reply', 'event', 'child_ended', 'resolved')),
  ref_id uuid not null,
  data jsonb not null default '{}',
  taken_by_run uuid,
  taken_by_step integer,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, seq),
  unique (run_id, kind, ref_id)
);
