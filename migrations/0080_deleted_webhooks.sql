-- The webhooks that an account has deleted, the latest first: their deliveries are still in the log and in the statistics. `webhooks_account` has
-- those that are there.
create index webhooks_deleted on webhooks (account_id, deleted_at) where deleted_at is not null;
