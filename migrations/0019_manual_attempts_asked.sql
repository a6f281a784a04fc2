-- Extra attempts that were asked for in this round. A version that does not know it neither counts them nor begins anew with a round.
alter table deliveries add column manual_attempts_asked integer not null default 0;
