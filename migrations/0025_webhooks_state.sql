-- For the gauge of webhooks that are active, disabled and unverified.
create index webhooks_state on webhooks (disabled_reason) where deleted_at is null;
