-- The extra attempts that were asked for in this round. 0.2 neither counts them nor sets the number back with a new round.
alter table deliveries add column manual_attempts_asked integer not null default 0;
