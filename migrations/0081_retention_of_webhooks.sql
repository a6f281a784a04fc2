-- Retention finds the webhooks that were deleted long ago.
create index webhooks_deleted_at on webhooks (deleted_at) where deleted_at is not null;
