-- The first run of a chain of causes, for which all that it causes is counted; null for that run itself. Runs of the version before have none.
alter table runs add column origin_run_id uuid;

-- Runs whose first pass is still to come, by account: what an account has begun at once is bounded. The version before has no runs.
create index runs_unseen on runs (account_id) where step = 0 and status = 'running';
