-- When a delivery was parked: what was parked after its webhook could be sent to again has slipped between. Null where a version
-- that does not know it has done so.
alter table deliveries add column parked_at timestamptz;
