-- Which message the parts of an album have become, and their captions: a change of any of them changes its text.
alter table album_parts
  add column recorded_as text,
  add column caption text,
  -- Of the latest change of the caption that is known.
  add column edited_at timestamptz;
create index album_parts_of_message on album_parts (channel_id, recorded_as) where recorded_as is not null;
