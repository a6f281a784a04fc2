-- What is in progress, account by account and webhook by webhook: the sweep's fair claim steps from one to the next.
select add_log_index('deliveries_in_progress', 'deliveries', '(account_id, webhook_id, sweep_at) where sweep_at is not null');

-- Replayed rounds in progress: a bulk replay asks whether there is room for more.
select add_log_index('deliveries_replayed', 'deliveries', '(account_id, webhook_id) where sweep_at is not null and round > 1');

-- For the gauges: how many are unfinished, the oldest that is pending, and the retry that is due first.
select add_log_index('deliveries_open', 'deliveries', $$(status, id) where status in ('pending', 'retrying', 'parked')$$);
select add_log_index('deliveries_due', 'deliveries', '(next_attempt_at) where sweep_at is not null and next_attempt_at is not null');
