-- Tags of contacts. A name is found in any letter case, and shown as it was first spelt.
create table tags (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts,
  name text not null,
  created_at timestamptz not null default now()
);
create unique index tags_name on tags (account_id, lower(name));
create index tags_account on tags (account_id, id);

create table contact_tags (
  contact_id uuid not null references contacts on delete cascade,
  tag_id uuid not null references tags on delete cascade,
  applied_at timestamptz not null default clock_timestamp(),
  primary key (contact_id, tag_id)
);
create index contact_tags_tag on contact_tags (tag_id, contact_id);
