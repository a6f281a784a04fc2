-- The secret that signs beside the one that has replaced it, for a day: sealed together with the hash of that one, so that it is
-- not taken for the one before a third, which a version that does not know these columns has put in its place.
alter table webhooks add column previous_secret bytea, add column previous_secret_until timestamptz;
