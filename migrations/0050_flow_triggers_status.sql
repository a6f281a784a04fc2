-- order_status_changed: the status; any when null.
alter table flow_triggers add column status text;
