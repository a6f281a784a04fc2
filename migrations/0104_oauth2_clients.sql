-- Credentials of type oauth2: how their access tokens are had, and the token that is good now.
create table oauth2_clients (
  credential_id uuid primary key references credentials on delete cascade,
  account_id uuid not null references accounts,
  grant_type text not null check (grant_type in ('client_credentials', 'refresh_token')),
  -- The secrets go to exactly this url.
  token_url text not null,
  client_id text not null,
  auth_method text not null check (auth_method in ('basic', 'body')),
  scope text,
  audience text,
  -- Sealed, as are both tokens; see src/shared/platform/secrets.
  client_secret bytea not null,
  refresh_token bytea check ((refresh_token is not null) = (grant_type = 'refresh_token')),
  access_token bytea,
  -- Counts tokens and replacements: who writes names the one that it began with.
  version bigint not null default 1,
  renewed_at timestamptz,
  -- 80 % of the token's life: from then on one caller asks for the next one.
  refresh_at timestamptz,
  expires_at timestamptz,
  -- When a service last answered 401 to a token that should have been good.
  rejected_at timestamptz,
  -- Who asks for the next token, and until when nobody else does.
  lease uuid,
  leased_until timestamptz,
  -- The refresh token was sent, and no answer is recorded: the service may have replaced it.
  in_doubt boolean not null default false,
  -- Attempts that got no answer, one after the other, and when the next one may be made.
  failures integer not null default 0,
  failure text,
  failed_at timestamptz,
  retry_at timestamptz,
  -- The token endpoint refused: nobody asks again until the secrets are replaced.
  refused_at timestamptz,
  refusal text
);

create index oauth2_clients_refused on oauth2_clients (account_id) where refused_at is not null;

-- The service's types are enough.
alter table credentials drop constraint credentials_type_check;
