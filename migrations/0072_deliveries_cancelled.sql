-- Finds the deliveries that were cancelled within an hour for the statistics, as deliveries_lost_since finds what failed. They are few.
select add_log_index('deliveries_cancelled', 'deliveries', '(webhook_id, finished_at) where status = ''cancelled''');
