-- Who sends the messages of a lane: null for its workflow, the process whose outbox has it until `sweep_at`, or all zeros for nobody. `queued_to` is
-- the `seq` of the last message queued in it; null where a process of 0.3 opened it.
alter table sendings
  add column sender uuid,
  add column queued_to bigint;
