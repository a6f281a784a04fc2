-- The process whose outbox makes the first attempt of the latest round. Null where a process of 0.3 made the round: its workflow makes that
-- attempt. All zeros: no process has it, and nothing was sent.
alter table deliveries add column sender uuid;
