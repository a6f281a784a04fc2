-- Hands this database, and everything in it that is not an extension's or PostgreSQL's own, to the role of the setting
-- setup.owner, and keeps all other roles out. Safe to run again, as the superuser: what another role has made since is handed
-- over, too.
do $$
declare
  new_owner constant name := current_setting('setup.owner');
  found record;
begin
  execute format('alter database %I owner to %I', current_database(), new_owner);
  execute format('revoke all on database %I from public', current_database());

  for found in
    select format('alter schema %I owner to %I', nspname, new_owner) as statement
    from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and nspowner not in (new_owner::text::regrole, 'pg_database_owner'::regrole)
      and not exists (select from pg_depend where classid = 'pg_namespace'::regclass and objid = pg_namespace.oid and deptype = 'e')
    union all
    -- A column's own sequence goes with its table, as indexes do.
    select format('alter %s %I.%I owner to %I',
      case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
      nspname, relname, new_owner)
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and relkind in ('r', 'p', 'v', 'm', 'S') and relowner <> new_owner::text::regrole
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i', 'e') and relkind = 'S')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    union all
    select format('alter routine %s owner to %I', pg_proc.oid::regprocedure, new_owner)
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and proowner <> new_owner::text::regrole
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select format('alter type %I.%I owner to %I', nspname, typname, new_owner)
    from pg_type join pg_namespace on pg_namespace.oid = typnamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and typtype in ('d', 'e', 'r') and typowner <> new_owner::text::regrole
      and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
  loop
    execute found.statement;
  end loop;
end $$;
