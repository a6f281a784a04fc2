-- The roles of Parley and of Temporal: neither may do anything but sign in. Safe to run again, as the superuser. The settings
-- setup.parley_password and setup.temporal_password have their passwords.
do $$
declare
  wanted record;
begin
  for wanted in select * from (values
    ('parley_service', current_setting('setup.parley_password')),
    ('temporal', current_setting('setup.temporal_password'))) as roles (name, password)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      execute format('create role %I', wanted.name);
    end if;
    execute format(
      'alter role %I with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
      wanted.name, wanted.password);
  end loop;
end $$;

-- Nobody comes in by default; an owner does. These two have nothing for either role.
revoke all on database postgres, template1 from public;
