-- When a contact has changed its message last, where its channel says so.
alter table messages add column edited_at timestamptz;
