-- Up to which change of its plan an account was looked at for deliveries that it has left parked: one process tells of it, once.
alter table accounts add column plan_told_at timestamptz;
