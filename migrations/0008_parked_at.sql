-- When a delivery was parked, and when its account's plan was last changed: what was parked after its webhook could be sent to
-- again has slipped between. Null where a version that does not know it has done either.
alter table deliveries add column parked_at timestamptz;
alter table accounts add column plan_changed_at timestamptz;
