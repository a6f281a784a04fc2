-- How many parts of a message have arrived that its channel sends in several. Each is marked by `attempt_since` before it is sent.
alter table outbound_messages add column parts_sent smallint not null default 0;
