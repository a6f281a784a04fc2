-- The base of the address to which the service of a channel sends, as it was told; null where it is told none, or nobody knows.
alter table channels add column connected_base text;
