-- An e-mail address is looked up in one normal form, ASCII in lower case, which the service makes alike (email.ts): lower() by
-- the database's locale took other letters for ASCII ones ('İ' for 'i'). Only where that locale is Turkish may two users of before
-- differ in nothing else; both stay, each found by its own spelling.
do $$ begin
  create unique index users_email_normal on users (lower(email collate "C"));
exception when unique_violation then
  create index users_email_normal on users (lower(email collate "C"));
end $$;

-- From where a user has signed in, to the latest 20: tries from there are counted apart from those of everybody else.
create table user_networks (
  user_id uuid not null references users on delete cascade,
  -- An IPv4 address, or an IPv6 network of /64.
  network text not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network)
);
