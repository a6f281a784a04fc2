-- How much an account's visitors have sent in a day, and which files are older than the operator keeps them.
create index media_of_visitors on media (account_id, created_at) include (visitor_id, bytes) where visitor_id is not null;
create index media_stored on media (created_at) where state = 'stored';
