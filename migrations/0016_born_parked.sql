-- Parked when it was made: no workflow has ever carried its first round. A version that does not know it says nothing of it.
alter table deliveries add column born_parked boolean not null default false;
