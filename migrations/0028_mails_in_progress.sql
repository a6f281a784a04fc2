-- As that of deliveries: whether a workflow is to send the mail.
alter table mails add column in_progress boolean generated always as (sweep_at is not null) virtual;
