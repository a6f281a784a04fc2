-- Who is invited to an account, and is no user of it yet.
create table invitations (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'editor', 'agent')),
  -- The user who invites; kept when that user is gone.
  invited_by uuid not null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index invitations_email on invitations (account_id, email);
create index invitations_account on invitations (account_id, id);

-- What links in mails prove themselves with: each is made when its mail is sent, and only its hash is stored. It accepts an invitation, or
-- sets the password of a user.
create table link_tokens (
  token_hash bytea primary key,
  invitation_id uuid references invitations on delete cascade,
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null,
  check (num_nonnulls(invitation_id, user_id) = 1)
);
create index link_tokens_invitation on link_tokens (invitation_id) where invitation_id is not null;
create index link_tokens_user on link_tokens (user_id) where user_id is not null;
create index link_tokens_expires on link_tokens (expires_at);
