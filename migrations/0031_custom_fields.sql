-- The custom fields that an account has defined. Contacts keep the values by key, also of keys that nobody has defined: processes of 0.2
-- write any.
create table custom_fields (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  key text not null,
  name text not null,
  type text not null check (type in ('text', 'number', 'boolean', 'date', 'datetime', 'list', 'json')),
  -- The texts that a text or list may hold, as a JSON array; null for any.
  options jsonb,
  default_value jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, key)
);
create index custom_fields_account on custom_fields (account_id, id);

-- The keys that contacts use already, by the type that all of their values have, else as json. An account gets as many as it may define,
-- those that it uses most. Keys that are reserved by now stay undefined.
with used as (
  select c.account_id, field.key, count(*) as times, array_agg(distinct jsonb_typeof(field.value)) as types
  from contacts c, jsonb_each(c.custom_fields) as field
  where field.key not in ('id', 'first_name', 'last_name', 'email', 'phone', 'language', 'time_zone', 'external_id', 'channel', 'status',
    'contact', 'account', 'flow', 'run', 'now', 'params', 'reply', 'event', 'credential', 'tags', 'custom_fields', 'created_at', 'updated_at')
  group by c.account_id, field.key
), ranked as (
  select *, row_number() over (partition by account_id order by times desc, key) as place from used
)
insert into custom_fields (account_id, key, name, type)
select account_id, key, key, case types when '{number}' then 'number' when '{boolean}' then 'boolean' when '{string}' then 'text' else 'json' end
from ranked where place <= 500;

-- Last, because it locks accounts, and reading all contacts takes seconds.
alter table custom_fields add foreign key (account_id) references accounts;
