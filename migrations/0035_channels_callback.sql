-- Where the messages of a channel go out to, and what signs them, sealed. The secret that was replaced signs beside it for a day, and is
-- sealed together with the hash of its successor, as 0009 has it for a webhook.
alter table channels
  add column callback_url text,
  add column secret bytea,
  add column previous_secret bytea,
  add column previous_secret_until timestamptz;
