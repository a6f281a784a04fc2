-- What agents have written and not sent yet, and texts that they answer with again and again.
create sequence draft_revisions;

create table conversation_drafts (
  user_id uuid not null references users(id) on delete cascade,
  conversation_id uuid not null references conversations(id),
  kind text not null check (kind in ('reply', 'note')),
  text text not null,
  -- No two drafts ever have the same one, so that a draft that has gone is not taken for a later one.
  revision integer not null default 1 + nextval('draft_revisions') % 999999999,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (user_id, conversation_id, kind)
);

create table canned_replies (
  id uuid primary key default uuidv7(),
  account_id uuid not null references accounts(id),
  shortcut text not null,
  -- A template: its placeholders are filled in with what is known of the contact.
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index canned_replies_account on canned_replies (account_id, id);
create unique index canned_replies_shortcut on canned_replies (account_id, lower(shortcut));
