-- Visitors of webchats for whom an agent's answer waits while none of their browsers is there (src/shared/messages/webchat/awaited.ts). Whoever comes
-- back ends it. `due_at`: when to mail; null once they were mailed.
create table visitor_waits (
  visitor_id uuid primary key references webchat_visitors on delete cascade,
  account_id uuid not null,
  conversation_id uuid not null,
  message_id uuid not null,
  due_at timestamptz
);
create index visitor_waits_due on visitor_waits (due_at) where due_at is not null;

-- The hashes of tokens in links of mails: each makes one browser that of the visitor, once.
create table webchat_links (
  hash bytea primary key,
  visitor_id uuid not null references webchat_visitors on delete cascade,
  expires_at timestamptz not null
);
create index webchat_links_visitor on webchat_links (visitor_id, expires_at);

-- The e-mail address for which the account's server vouches, and whether its reader wants no mails.
alter table webchat_visitors add column proven_email text;
alter table webchat_visitors add column wants_no_mail boolean not null default false;
