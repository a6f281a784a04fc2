-- Nothing is sent over a channel until then, because its service has asked for a pause.
alter table channels add column paused_until timestamptz;
