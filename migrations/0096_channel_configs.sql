-- What a kind of channel other than `api` is set up with: its open fields; the sealed ones are one value in `secret`. `external_ref` names the
-- account of a service that it is connected with, which no other channel has. A deleted channel keeps its conversations.
alter table channels add column config jsonb, add column external_ref text, add column deleted_at timestamptz;
create unique index channels_external_ref on channels (type, external_ref) where external_ref is not null and deleted_at is null;
