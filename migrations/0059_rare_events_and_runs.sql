-- The log of events by name. Nearly all events are messages: those have no part in this index, so that they cost no more, and are found soon
-- without it.
select add_log_index('events_name', 'events', $$(account_id, name, id) where name <> 'new_message'$$);

-- The list of runs by status. Nearly all runs are completed, and found soon without it. The version before has no runs.
create index runs_status on runs (account_id, status, id) where status <> 'completed';
drop index runs_failed;
