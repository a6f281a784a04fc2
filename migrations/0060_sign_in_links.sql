-- Links that sign a user in. They have a column of their own: the version before takes any token of `user_id` for one that sets a password.
alter table link_tokens
  add column sign_in_user_id uuid references users on delete cascade,
  drop constraint link_tokens_check,
  add constraint link_tokens_check check (num_nonnulls(invitation_id, user_id, sign_in_user_id) = 1);
create index link_tokens_sign_in on link_tokens (sign_in_user_id) where sign_in_user_id is not null;
