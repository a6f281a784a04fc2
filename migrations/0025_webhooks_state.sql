-- For the gauge: how many webhooks are active, disabled and unverified.
create index webhooks_state on webhooks (disabled_reason) where deleted_at is null;
