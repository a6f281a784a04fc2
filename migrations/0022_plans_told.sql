-- The last change of the plan for which a process has logged what it left parked, so that each is logged once.
alter table accounts add column plan_told_at timestamptz;
