-- Which versions of a flow have runs, open ones and others: for deleting old versions, and for what open runs still need.
create index runs_version on runs (flow_id, version, ended_at);
