-- Finds the attempts of an hour for the statistics. Attempts are only ever added, in the order of time, so that a summary of each range of pages is
-- enough: adding one writes nothing here.
select add_log_index('attempts_started', 'attempts', 'using brin (started_at) with (pages_per_range = 32, autosummarize = on)');
