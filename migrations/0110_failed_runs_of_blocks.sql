-- Failed runs of a block, which bulk retries count and take, and the list of runs shows. Only the end of a failed run writes to it.
select build_index('runs_failed_at', 'runs', $$(flow_id, block_id, id) where status = 'failed'$$);
