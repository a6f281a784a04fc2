-- `poller` is the process that asks a channel's service for what contacts write, until `poll_until`; without one it is the time before which none
-- asks.
alter table channels
  add column poller uuid,
  add column poll_until timestamptz;
