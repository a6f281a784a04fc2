-- Keys that are in force, which are counted before another is made; and those that were revoked long ago, which retention removes.
create index api_keys_in_force on api_keys (account_id, id) where revoked_at is null;
create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null;
