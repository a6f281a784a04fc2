-- Deleting a webhook cancels a bounded number of its unfinished deliveries at once, and the rest in batches: set when none
-- is left. A version that does not know it leaves it null, and its webhooks are looked at once more.
alter table webhooks add column deliveries_cancelled_at timestamptz;
create index webhooks_to_cancel on webhooks (deleted_at) where deleted_at is not null and deliveries_cancelled_at is null;
