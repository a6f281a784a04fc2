-- The address for which the account's server has vouched last, also while it vouches for none: the same one again mails nobody who wants no mails.
alter table webchat_visitors add column vouched_email text;
