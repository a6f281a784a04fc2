-- The user who wrote a message, and the status of one that was taken back before it was sent.
alter table outbound_messages add column user_id uuid;
alter table outbound_messages drop constraint outbound_messages_status_check;
alter table outbound_messages add constraint outbound_messages_status_check
  check (status in ('queued', 'sent', 'failed', 'unknown', 'withdrawn')) not valid;
