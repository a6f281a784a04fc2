-- Saved views of the dashboard's lists, and the columns that users choose.
create table list_views (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  -- Null: it is the account's, because an owner has shared it.
  user_id uuid references users(id) on delete cascade,
  list text not null,
  name text not null,
  -- Filters, order and columns, as the address of the list has them.
  query text not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index list_views_name on list_views (account_id, list, user_id, lower(name)) nulls not distinct;
create index list_views_user on list_views (user_id) where user_id is not null;

create table list_columns (
  user_id uuid not null references users(id) on delete cascade,
  list text not null,
  columns text[] not null,
  primary key (user_id, list)
);
