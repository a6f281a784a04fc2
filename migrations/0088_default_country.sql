-- The country whose phone numbers need no code (ISO 3166-1 alpha-2); null: every number needs its code.
alter table accounts add column default_country text;
