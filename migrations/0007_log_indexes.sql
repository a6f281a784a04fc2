-- Adds an index to a log without holding up its writers: at once where a partition is small, and left to
-- `completeLogIndexes` (src/shared/db/log-indexes.ts) where building it would take long. A partition that is made later has it
-- from the start. `definition` is what follows the table's name in `create index`.
create function add_log_index(index_name text, log text, definition text) returns void
language plpgsql as $$
declare
  small_bytes constant bigint := 8 * 1024 * 1024;
  part text;
begin
  execute format('create index %I on only %I %s', index_name, log, definition);
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = log::regclass and pg_relation_size(c.oid) <= small_bytes
  loop
    execute format('create index %I on %I %s', log_index_part(part, index_name), part, definition);
    execute format('alter index %I attach partition %I', index_name, log_index_part(part, index_name));
  end loop;
end $$;

-- The name of a partition's part of an index.
create function log_index_part(part text, index_name text) returns text
language sql immutable
return left(part || '_' || index_name, 63);

-- What the delivery log is searched by.
select add_log_index('deliveries_contact', 'deliveries', '(account_id, contact_id, id) where contact_id is not null');
select add_log_index('deliveries_event', 'deliveries', '(account_id, event_name, id)');
select add_log_index('deliveries_tests', 'deliveries', '(account_id, id) where is_test');
