-- When the plan of an account last changed, because its webhooks may be sent to again from then on. Null when 0.2 has changed it.
alter table accounts add column plan_changed_at timestamptz;
