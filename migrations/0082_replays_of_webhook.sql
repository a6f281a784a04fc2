-- What is asked before a webhook is removed: whether a bulk replay refers to it.
select build_index('replays_webhook', 'replays', '(webhook_id) where webhook_id is not null');
