-- The replaced secret of an account, which signs for its dashboard webhooks for a day, as 0009 has it for a webhook.
alter table accounts add column previous_webhook_secret bytea, add column previous_webhook_secret_until timestamptz;
