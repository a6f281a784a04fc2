-- The items that an open step makes its request for, and what their mappings have given so far: {"list": [], "results": {}}.
alter table run_steps add column items jsonb;
