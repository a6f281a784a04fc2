-- Parts of albums, which services tell one by one: they are held until an album is complete, and recorded as one message. One that is recorded stays
-- as long as its service may tell it again.
create table album_parts (
  channel_id uuid not null references channels(id) on delete cascade,
  external_id text not null,
  account_id uuid not null references accounts(id),
  chat text not null,
  album text not null,
  -- Its place among the parts of its album.
  place bigint not null,
  -- What was told, while it is held.
  told jsonb,
  arrived_at timestamptz not null default clock_timestamp(),
  -- Nobody records the album before all of its parts are due.
  due_at timestamptz not null,
  recorded_at timestamptz,
  primary key (channel_id, external_id)
);
create index album_parts_held on album_parts (channel_id, chat) where recorded_at is null;
