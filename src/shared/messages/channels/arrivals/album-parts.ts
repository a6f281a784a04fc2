import type { Database, Sql } from '../../../platform/db/connect.ts';
import { parseId } from '../../../ids.ts';
import { releaseMedia } from '../../../media/queries.ts';
import { mediaNoun } from '../../../media/schema.ts';
import type { GivenMessage, RemoteFile, StoredConfig } from '../kind.ts';

/** An album of a channel, a UUID. */
export type AlbumKey = { channelId: string; album: string };

/** What a service has told of a part, with the files that are still there. */
export type PartTold = { message: GivenMessage; files: readonly RemoteFile[] };

/** A part that is held. */
export type HeldPart = { externalId: string; told: PartTold };

/** The most parts of one message. */
export const partsAtMost = 10;

/** How long an album waits for another part, and in all, in seconds. */
const waitSeconds = { another: 1, inAll: 5 };

/**
 * How long one process has an album to itself, in seconds, unless it renews that. Two that have one at the same time fetch its files twice, and one of
 * them records it.
 */
const leaseSeconds = 6;

/** When an album is tried again whose files could not be had, in seconds. */
const againSeconds = 3;

/** How long services may tell a part again, in hours: Telegram for a day. */
const knownHours = 48;

const held = (sql: Sql, { channelId, album }: AlbumKey) =>
  sql`channel_id = ${channelId} and album = ${album} and recorded_at is null`;

/** Holds a part, and answers in how many ms its album is due. Undefined for one that is known. */
export const holdPart = async (
  sql: Sql,
  { channelId, album, accountId }: AlbumKey & { accountId: string },
  { place, told }: { place: number; told: PartTold },
): Promise<number | undefined> => {
  const { message_id, sender } = told.message;
  const [row] = await sql<{ inMs: number }[]>`
    insert into album_parts (channel_id, external_id, account_id, chat, album, place, told, due_at)
    select ${channelId}, ${message_id}, ${accountId}, ${sender.external_id}, ${album}, ${place}, ${JSON.stringify(told)}::text::jsonb,
      least(
        clock_timestamp() + make_interval(secs => ${waitSeconds.another}),
        coalesce(min(arrived_at), clock_timestamp()) + make_interval(secs => ${waitSeconds.inAll}))
    from album_parts where ${held(sql, { channelId, album })}
    having not exists (
      select from messages where channel_id = ${channelId} and external_id = ${message_id} and direction = 'inbound')
    on conflict do nothing
    returning extract(epoch from due_at - clock_timestamp())::float8 * 1000 as in_ms`;
  return row && Math.max(0, row.inMs);
};

/** The albums of which a chat has parts that are held, or to which a message belongs, in their order. */
export const listHeld = async (
  sql: Sql,
  channelId: string,
  { chats, messageIds }: { chats: readonly string[]; messageIds: readonly string[] },
): Promise<AlbumKey[]> => {
  const rows = await sql<{ album: string }[]>`
    select album from album_parts where channel_id = ${channelId} and recorded_at is null
      and (chat = any(${[...chats]}::text[]) or external_id = any(${[...messageIds]}::text[]))
    group by album order by min(place)`;
  return rows.map(({ album }) => ({ channelId, album }));
};

/** Albums that are due for a while, and that nobody has taken. */
export const listOverdue = (sql: Sql, atMost: number): Promise<AlbumKey[]> => sql<AlbumKey[]>`
  select p.channel_id, p.album from album_parts p join channels c on c.id = p.channel_id and c.deleted_at is null
  where p.recorded_at is null
  group by p.channel_id, p.album having max(p.due_at) < clock_timestamp() - interval '500 ms'
  order by max(p.due_at) limit ${atMost}`;

/** The channel of an album, with what is stored of its config. */
type ClaimedOf = Pick<StoredConfig, 'config' | 'secret'> & { accountId: string; type: string };

/** Takes an album for a while, if it is due, or at any time where it is not `due`. Answers its channel. */
export const claimAlbum = async (
  db: Database,
  key: AlbumKey,
  { due }: { due: boolean },
): Promise<ClaimedOf | undefined> => {
  const isDue = due ? db`due_at <= clock_timestamp()` : db`true`;
  const [row] = await db<ClaimedOf[]>`
    with parts as materialized (
      select external_id, ${isDue} as is_due from album_parts where ${held(db, key)} order by place for no key update
    ), taken as (
      update album_parts p set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) from parts
      where p.channel_id = ${key.channelId} and p.external_id = parts.external_id and (select bool_and(is_due) from parts)
      returning p.channel_id
    )
    select c.account_id, c.type, c.config, c.secret from channels c
    where c.id = ${key.channelId} and c.deleted_at is null and exists (select from taken)`;
  return row;
};

/** Has an album for longer. */
export const renewAlbum = async (db: Database, key: AlbumKey): Promise<void> => {
  await db`
    update album_parts set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where ${held(db, key)}`;
};

/** Gives an album back, whose files cannot be had now. */
export const putOffAlbum = async (db: Database, key: AlbumKey): Promise<void> => {
  await db`
    update album_parts set due_at = clock_timestamp() + make_interval(secs => ${againSeconds}) where ${held(db, key)}`;
};

/** The parts of an album that are held, in their order, and no more than a message takes. */
export const readParts = (sql: Sql, key: AlbumKey): Promise<HeldPart[]> => sql<HeldPart[]>`
  select external_id, told from album_parts where ${held(sql, key)} order by place limit ${partsAtMost}`;

/** The ids of the same, locked. */
export const lockParts = async (sql: Sql, key: AlbumKey): Promise<string[]> => {
  const rows = await sql<{ externalId: string }[]>`
    select external_id from album_parts where ${held(sql, key)} order by place limit ${partsAtMost} for update`;
  return rows.map(({ externalId }) => externalId);
};

/** Keeps a part with the files that it has got. Answers false where another process has done so, or has recorded it. */
export const keepPart = async (
  sql: Sql,
  key: AlbumKey,
  { externalId, told }: { externalId: string; told: PartTold },
): Promise<boolean> => {
  const { count } = await sql`
    update album_parts set told = ${JSON.stringify(told)}::text::jsonb
    where ${held(sql, key)} and external_id = ${externalId} and told -> 'files' <> '[]'
      and exists (select from channels where id = ${key.channelId} and deleted_at is null)`;
  return count > 0;
};

/**
 * Notes that parts are recorded as the message of this id, or as none: of what was told only the captions are kept, and telling it again changes
 * nothing.
 */
export const noteRecorded = async (
  sql: Sql,
  { channelId }: AlbumKey,
  { ids, as }: { ids: readonly string[]; as: string | null },
): Promise<void> => {
  await sql`
    update album_parts set recorded_as = ${as}, caption = case when ${as}::text is not null then told -> 'message' ->> 'text' end,
      told = null, recorded_at = clock_timestamp()
    where channel_id = ${channelId} and external_id = any(${[...ids]}::text[])`;
};

/** The message that an album is, and the captions of its parts in their order; `editedAt` is the latest change of one. */
type Captions = { recordedAs: string; captions: string[]; editedAt: Date };

/** Changes the caption of a part that is recorded, unless a later change is known. Undefined for what is no such part. */
export const changeCaption = async (
  sql: Sql,
  channelId: string,
  { externalId, caption, editedAt }: { externalId: string; caption: string; editedAt: Date },
): Promise<Captions | undefined> => {
  const [row] = await sql<Captions[]>`
    with part as materialized (
      select recorded_as from album_parts where channel_id = ${channelId} and external_id = ${externalId} and recorded_as is not null
    ), changed as (
      update album_parts p set caption = ${caption}, edited_at = ${editedAt} from part
      where p.channel_id = ${channelId} and p.external_id = ${externalId} and coalesce(p.edited_at <= ${editedAt}, true)
      returning p.external_id, p.caption, p.edited_at
    )
    select p.recorded_as, array_agg(coalesce(changed.caption, p.caption, '') order by p.place) as captions,
      max(coalesce(changed.edited_at, p.edited_at)) as edited_at
    from part join album_parts p on p.channel_id = ${channelId} and p.recorded_as = part.recorded_as left join changed using (external_id)
    group by p.recorded_as`;
  return row;
};

/** The files of a part that are ours. */
export const mediaOf = ({ message: { attachments = [] } }: PartTold): string[] =>
  attachments.flatMap((one) => {
    const id = 'media_id' in one && typeof one.media_id === 'string' ? parseId(mediaNoun, one.media_id) : undefined;
    return id === undefined ? [] : [id];
  });

/** The files of parts of a channel that are held belong to no message, as the channel is about to be removed. */
export const releaseFilesOfParts = async (
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> => {
  const rows = await sql<{ told: PartTold }[]>`
    select told from album_parts where channel_id = ${id} and told is not null for update`;
  await releaseMedia(
    sql,
    accountId,
    rows.flatMap(({ told }) => mediaOf(told)),
  );
};

/** Forgets parts that no service tells again, and those of channels that were removed. Returns how many. */
export const forgetAlbumParts = async (sql: Sql): Promise<number> => {
  const { count } = await sql`
    delete from album_parts p using channels c
    where c.id = p.channel_id
      and (c.deleted_at is not null or p.recorded_at < clock_timestamp() - make_interval(hours => ${knownHours}))`;
  return count;
};
