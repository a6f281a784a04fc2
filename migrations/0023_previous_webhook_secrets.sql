-- The same of an account's secret, which signs for its dashboard webhooks.
alter table accounts add column previous_webhook_secret bytea, add column previous_webhook_secret_until timestamptz;
