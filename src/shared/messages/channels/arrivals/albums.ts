import { RequestError } from '../../../errors.ts';
import type { EventAutocommit, EventTransact } from '../../../facts/tell.ts';
import { showId } from '../../../ids.ts';
import { releaseMedia, useMedia } from '../../../media/queries.ts';
import { askAs, asNobody } from '../../../platform/bulkhead/asker.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Logger } from '../../../platform/log.ts';
import { startPeriodic } from '../../../platform/periodic.ts';
import { repairTexts } from '../../../platform/repair-texts.ts';
import type { Secrets } from '../../../platform/secrets/seal.ts';
import { receiveWith } from '../../inbound/receive-told.ts';
import { editedMessage } from '../../inbound/schema.ts';
import type { OpenChannel, Told } from '../kind.ts';
import { kindOf, type ChannelKinds } from '../kinds.ts';
import { openConfig } from '../stored-config.ts';
import { joinCaptions, joinParts } from './join-parts.ts';
import * as held from './album-parts.ts';
import type { RemoteFiles } from './remote-files.ts';

export type AlbumDeps = {
  db: Database;
  transact: EventTransact;
  autocommit: EventAutocommit;
  secrets: Secrets;
  channelKinds: ChannelKinds;
  log: Logger;
};

type ToldMessage = Extract<Told, { type: 'message' }>;

/** A part of an album. */
export type ToldPart = ToldMessage & { album: NonNullable<ToldMessage['album']> };

/** How often albums are looked for that another process has left, in ms, and the most that are under way. */
const sweepEveryMs = 2_000;
const underWayAtMost = 20;

/** How often the lease of an album is renewed, in ms. */
const renewEveryMs = 2_000;

/** The most tries to record an album. Another one is needed only where a part came meanwhile. */
const maxTries = 20;

/**
 * Holds parts of albums in the database until their album is complete, and records it as one message. A part is recorded by the transaction that
 * notes it, so none is lost or recorded twice, whenever a process ends. `withFiles` gets the files of a part.
 */
export const createAlbums = (deps: AlbumDeps, withFiles: RemoteFiles['withFiles']) => {
  const { db, transact, autocommit, secrets, channelKinds, log } = deps;
  const timers = new Map<string, NodeJS.Timeout>();
  const underWay = new Map<string, { due: boolean; done: Promise<void> }>();

  /** The same parts with the files that could be had; each is kept as soon as it is there. Undefined where another process has kept one meanwhile. */
  const fetchFiles = async (
    channel: OpenChannel & { type: string },
    key: held.AlbumKey,
    parts: readonly held.HeldPart[],
  ): Promise<held.PartTold[] | undefined> => {
    const whole: held.PartTold[] = [];
    for (const { externalId, told } of parts) {
      if (told.files.length === 0) {
        whole.push(told);
        continue;
      }
      const { message } = await withFiles(kindOf(channelKinds, channel.type), channel, { type: 'message', ...told });
      const fetched = { message, files: [] };
      const isKept = await transact(async ({ sql }) => {
        const isOurs = await held.keepPart(sql, key, { externalId, told: fetched });
        if (isOurs) await useMedia(sql, channel.accountId, held.mediaOf(fetched));
        return isOurs;
      });
      if (!isKept) return undefined;
      whole.push(fetched);
    }
    return whole;
  };

  /** Records what is held of an album. Parts that come meanwhile are part of it. */
  const record = async (channel: OpenChannel & { type: string }, key: held.AlbumKey): Promise<void> => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const parts = await held.readParts(db, key);
      const ids = parts.map(({ externalId }) => externalId);
      const whole = await fetchFiles(channel, key, parts);
      if (!whole) continue;
      const message = joinParts(whole);
      if (!message) return;
      const over = { accountId: channel.accountId, channelId: channel.id };
      const isRecorded = await receiveWith({ db, transact }, over, message, {
        unless: async (sql) => String(await held.lockParts(sql, key)) !== String(ids),
        also: (sql) => held.noteRecorded(sql, key, { ids, as: message.message_id }),
      }).catch(async (error: unknown) => {
        if (!(error instanceof RequestError && error.code === 'invalid_request')) throw error;
        log.warn({ err: error, channel_id: showId('channel', channel.id) }, 'channel.update_refused');
        await autocommit(async ({ sql }) => {
          await releaseMedia(sql, channel.accountId, whole.flatMap(held.mediaOf));
          await held.noteRecorded(sql, key, { ids, as: null });
        });
        return true;
      });
      if (isRecorded && parts.length < held.partsAtMost) return;
    }
    throw new Error(`parts of an album came ${maxTries} times while it was recorded`);
  };

  const claimAndRecord = async (key: held.AlbumKey, due: boolean): Promise<void> => {
    const stored = await held.claimAlbum(db, key, { due });
    if (!stored) return;
    const { accountId, type } = stored;
    const id = key.channelId;
    const channel = { id, accountId, type, config: openConfig(secrets, { accountId, rowId: id }, stored) };
    const renew = () => {
      held.renewAlbum(db, key).catch((error: unknown) => log.warn({ err: error }, 'channel.album_not_renewed'));
    };
    const renewing = setInterval(renew, renewEveryMs);
    try {
      await askAs({ accountId }, () => record(channel, key));
    } catch (error) {
      await held.putOffAlbum(db, key);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  };

  /** Records an album, if it is due or need not be. One that is recorded already is waited for. */
  const settle = (key: held.AlbumKey, { due }: { due: boolean }): Promise<void> => {
    const name = nameOf(key);
    const before = underWay.get(name);
    if (before && (due || !before.due)) return before.done;
    const work = async () => {
      await before?.done.catch(() => {});
      await claimAndRecord(key, due);
    };
    const done = work().finally(() => {
      if (underWay.get(name)?.done === done) underWay.delete(name);
    });
    underWay.set(name, { due, done });
    return done;
  };

  const settleLater = (key: held.AlbumKey): void => {
    asNobody(() => settle(key, { due: true })).catch((error: unknown) => {
      log.warn({ err: error, channel_id: showId('channel', key.channelId) }, 'channel.album_not_recorded');
    });
  };

  const sweeping = startPeriodic(
    async () => {
      const room = underWayAtMost - underWay.size;
      if (room > 0) for (const key of await held.listOverdue(db, room)) settleLater(key);
    },
    { name: 'albums', everyMs: sweepEveryMs, log },
  );

  return {
    /** Holds a part. It is safe once this has resolved. */
    hold: async (
      { id: channelId, accountId }: OpenChannel,
      { message, files = [], album }: ToldPart,
    ): Promise<void> => {
      const key = { channelId, album: album.ref };
      const told = repairTexts({ message, files });
      const dueInMs = await askAs({ accountId }, () =>
        autocommit(({ sql }) => held.holdPart(sql, { ...key, accountId }, { place: album.place, told })),
      );
      if (dueInMs === undefined) return;
      const name = nameOf(key);
      clearTimeout(timers.get(name));
      const timer = setTimeout(() => {
        timers.delete(name);
        settleLater(key);
      }, Math.ceil(dueInMs));
      timers.set(name, timer.unref());
    },
    /** Records the albums that chats have begun, or to which messages belong: something came after them. Throws `unavailable`, as long as a file may be had later. */
    complete: async (
      channelId: string,
      of: { chats: readonly string[]; messageIds: readonly string[] },
    ): Promise<void> => {
      for (const key of await held.listHeld(db, channelId, of)) await settle(key, { due: false });
    },
    /** The change of a caption as that of the message which its album is; anything else as it was told. */
    withCaptions: async ({ id, accountId }: OpenChannel, told: Told): Promise<Told> => {
      if (told.type !== 'edit') return told;
      const { data: edit } = editedMessage.safeParse(told.message);
      if (!edit) return told;
      const { message_id: externalId, text, edited_at: seconds } = edit;
      const change = { externalId, caption: repairTexts(text), editedAt: new Date(seconds * 1_000) };
      const album = await askAs({ accountId }, () => autocommit(({ sql }) => held.changeCaption(sql, id, change)));
      if (!album) return told;
      const { recordedAs, captions, editedAt } = album;
      const edited_at = Math.floor(editedAt.getTime() / 1_000);
      return { ...told, message: { message_id: recordedAs, text: joinCaptions(captions), edited_at } };
    },
    stop: async (): Promise<void> => {
      for (const timer of timers.values()) clearTimeout(timer);
      await sweeping.stop();
      await Promise.allSettled([...underWay.values()].map(({ done }) => done));
    },
  };
};

const nameOf = ({ channelId, album }: held.AlbumKey): string => `${channelId} ${album}`;
