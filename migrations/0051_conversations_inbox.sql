-- The list of conversations: open ones first, and the newest of each status first.
create index conversations_inbox on conversations (account_id, status, id);
