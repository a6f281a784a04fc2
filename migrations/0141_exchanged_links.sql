-- The token that a link was exchanged for: as long as nobody has used that, its answer may have been lost, and the link is good.
alter table webchat_links add column token_hash bytea;
