-- When an account's plan was last changed: its webhooks could be sent to again then. Null where a version that does not know it
-- has done so.
alter table accounts add column plan_changed_at timestamptz;
