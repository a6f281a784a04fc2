alter table accounts
  -- For contacts whose own time zone is not known.
  add column time_zone text not null default 'UTC',
  -- Whether a custom field has to be defined before it is used.
  add column strict_fields boolean not null default false,
  -- Whether a flow was ever published: accounts without one skip all that flows need.
  add column automated boolean not null default false;
