-- What the installation's test endpoint answers an account, and the path by which it is called. What was sent there is in memory alone.
create table test_endpoints (
  account_id uuid primary key references accounts,
  -- Nobody can guess it: it is all that tells accounts apart there.
  token text not null unique,
  status integer not null check (status between 200 and 599),
  -- The JSON that it answers; null for none.
  body text,
  delay_ms integer not null check (delay_ms between 0 and 15000)
);
