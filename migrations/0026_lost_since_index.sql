-- Finds what failed or was dropped for a webhook since its last success, however much it has lost before.
select add_log_index('deliveries_lost_since', 'deliveries', '(webhook_id, finished_at) where status in (''failed'', ''dropped'')');
