-- The replay that a re-enabling begins: what is parked, and of failed and dropped deliveries those that ended after the webhook's
-- last success. A version that does not know the column takes all that failed or were dropped.
alter table replays
  add column lost_since timestamptz,
  add column of_re_enabling boolean not null default false;
-- It is open beside one of the same webhook and statuses that somebody asked for, which is about more.
create unique index replays_open_of_filter
  on replays (account_id, webhook_id, variants, statuses, since, until, (lost_since is null))
  nulls not distinct where status in ('running', 'paused');
drop index replays_open;
