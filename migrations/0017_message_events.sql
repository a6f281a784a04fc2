-- The event that says that this message came in; unknown of what 0.2 has received.
alter table messages add column event_id uuid;
