-- Indexes of tables in use that would take long to build. `build_index` builds one at once where the table is small, and otherwise leaves it to
-- `completeTableIndexes` (src/shared/platform/db/table-indexes.ts), which builds it while others read and write.
create table late_indexes (
  name text primary key,
  on_table text not null,
  is_unique boolean not null,
  -- What follows the table's name in `create index`.
  definition text not null,
  -- The index that it makes superfluous, which goes when it is there.
  replaces text
);

create function build_index(index_name text, table_name text, definition text, is_unique boolean default false, replaces text default null)
returns void
language plpgsql as $$
declare
  small_bytes constant bigint := 2 * 1024 * 1024;
begin
  if pg_relation_size(table_name::regclass) > small_bytes then
    insert into late_indexes values (index_name, table_name, is_unique, definition, replaces);
    return;
  end if;
  execute format('create %s index %I on %I %s', case when is_unique then 'unique' else '' end, index_name, table_name, definition);
  if replaces is not null then
    execute format('drop index if exists %I', replaces);
  end if;
end $$;

-- What contacts are searched by: the beginnings of their names and keys. text_pattern_ops serves equality as well, so that three indexes take the
-- place of those that could do only that.
select build_index('contacts_by_name', 'contacts',
  $$(account_id, lower(first_name || ' ' || coalesce(last_name, '')) text_pattern_ops, id) where first_name is not null$$);
select build_index('contacts_by_last_name', 'contacts', '(account_id, lower(last_name) text_pattern_ops, id) where last_name is not null');
select build_index('contacts_by_email', 'contacts', '(account_id, lower(email) text_pattern_ops, id) where email is not null',
  replaces => 'contacts_email');
select build_index('contacts_by_phone', 'contacts', '(account_id, phone text_pattern_ops, id) where phone is not null',
  replaces => 'contacts_phone');
select build_index('contacts_by_external_id', 'contacts', '(account_id, external_id text_pattern_ops) where external_id is not null',
  is_unique => true, replaces => 'contacts_external_id');

-- What changed, in the order in which it did.
select build_index('contacts_by_change', 'contacts', '(account_id, updated_at, id)');

-- The few that flows may not write to.
select build_index('contacts_inactive', 'contacts', $$(account_id, status, id) where status <> 'active'$$);

-- Values of custom fields. Without a list of what is still to be inserted: no writer has to clear it for all.
select build_index('contacts_by_fields', 'contacts', $$using gin (custom_fields jsonb_path_ops) with (fastupdate = off) where custom_fields <> '{}'$$);
