import { RequestError } from '../../../errors.ts';
import { showId } from '../../../ids.ts';
import { largestOfAll } from '../../../media/limits.ts';
import { mediaNoun } from '../../../media/schema.ts';
import type { TakeMedia } from '../../../media/take-media.ts';
import type { EventAutocommit } from '../../../facts/tell.ts';
import { createShares, NoSlot } from '../../../platform/bulkhead/shares.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Egress } from '../../../platform/egress/client.ts';
import { unreachable } from '../../../unreachable.ts';
import type { ChannelKind, OpenChannel, RemoteFile, Told } from '../kind.ts';

export type RemoteFileDeps = {
  db: Database;
  autocommit: EventAutocommit;
  egress: Egress;
  media: { take: TakeMedia };
};

/** A message waits for a file that cannot be had now for so long, in ms, from the first try that failed on. Then it comes without. */
const patienceMs = 5 * 60_000;

/** The most messages whose first failed try is kept. One that is forgotten has its patience anew. */
const failingAtMost = 1_000;

/** The most files that are fetched at a time in a process, and over one channel: each may be in memory. */
const bounds = { total: 6, perKey: 2, patienceMs: 20_000, waitingPerAccount: 40 };

/** A file that is not to be had at the moment: what told of it comes again. */
const later = (): RequestError => new RequestError('unavailable', 'A file of this message cannot be fetched now.');

type ToldMessage = Extract<Told, { type: 'message' }>;

export type RemoteFiles = ReturnType<typeof createRemoteFiles>;

/** Gets the files of messages from the services of channels, before the messages are recorded: what is cut off meanwhile comes again. */
export const createRemoteFiles = ({ db, autocommit, egress, media }: RemoteFileDeps, { now = Date.now } = {}) => {
  const slots = createShares(bounds);
  const lines = new Map<string, Promise<unknown>>();
  const failingSince = new Map<string, number>();
  const write: Parameters<TakeMedia>[0]['write'] = (work) => autocommit(({ sql }) => work(sql));

  /** The id of a file once it is ours; undefined for one that never will be. Throws where it may be later. */
  const fetchOne = async (
    kind: ChannelKind,
    channel: OpenChannel,
    { ref, name, bytes }: RemoteFile,
  ): Promise<string | undefined> => {
    const { id: key, accountId } = channel;
    if (!kind.fetchFile || (bytes ?? 0) > largestOfAll) return undefined;
    const { fetchFile } = kind;
    // A file is in memory until it is stored, so that its slot is as well.
    const came = await slots
      .take({ accountId, key }, async () => {
        const fetched = await fetchFile({ egress }, channel, { ref, bytesAtMost: largestOfAll });
        return fetched.type === 'fetched' ? store({ accountId, name, bytes: fetched.bytes }) : fetched;
      })
      .catch((error: unknown) => {
        if (error instanceof NoSlot) return { type: 'later' } as const;
        throw error;
      });
    switch (came.type) {
      case 'stored':
        failingSince.delete(`${key} ${ref}`);
        return came.id;
      case 'gone':
        return undefined;
      case 'later':
        if (hasWaitedLong(`${key} ${ref}`)) return undefined;
        throw later();
      default:
        return unreachable(came);
    }
  };

  const hasWaitedLong = (file: string): boolean => {
    const since = failingSince.get(file) ?? now();
    failingSince.delete(file);
    if (now() - since > patienceMs) return true;
    failingSince.set(file, since);
    const [oldest] = failingSince.keys();
    if (oldest !== undefined && failingSince.size > failingAtMost) failingSince.delete(oldest);
    return false;
  };

  const store = async ({ bytes, ...of }: { accountId: string; name: string; bytes: Uint8Array }) => {
    try {
      const { id } = await media.take({ db, write }, { ...of, bytes: bytes.length, chunks: only(bytes) });
      return { type: 'stored', id: showId(mediaNoun, id) } as const;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // It is empty or too large, or the account has no room for it, unless too many come in at the moment.
      return { type: error.code === 'rate_limited' ? 'later' : 'gone' } as const;
    }
  };

  const isKnown = async ({ id }: OpenChannel, messageId: string): Promise<boolean> => {
    const found = await db`
      select from messages where channel_id = ${id} and external_id = ${messageId} and direction = 'inbound' limit 1`;
    return found.count > 0;
  };

  /** What was told, with its files as attachments; words stand for those that cannot be had, and for all of a message that is known. */
  const withFiles = async (kind: ChannelKind, channel: OpenChannel, told: ToldMessage): Promise<ToldMessage> => {
    const { message, files } = told;
    if (!files?.length) return told;
    const known = await isKnown(channel, message.message_id);
    const attachments: { media_id: string }[] = [];
    const said = typeof message.text === 'string' && message.text !== '' ? [message.text] : [];
    for (const file of files) {
      const id = known ? undefined : await fetchOne(kind, channel, file);
      if (id === undefined) said.push(file.instead);
      else attachments.push({ media_id: id });
    }
    return { ...told, message: { ...message, text: said.join('\n'), attachments } };
  };

  return {
    withFiles,
    /**
     * Has `receive` record what was told, with its files. What a chat tells later waits for them in this process; nobody else does. Throws
     * `unavailable`, with nothing recorded, where a file may be had later.
     */
    bring: async (
      { kind, channel, told }: { kind: ChannelKind; channel: OpenChannel; told: readonly Told[] },
      receive: (told: readonly Told[]) => Promise<void>,
    ): Promise<void> => {
      const [chat] = told.flatMap(chatOf);
      const line = `${channel.id} ${chat}`;
      const before = lines.get(line);
      const hasFiles = told.some((one) => one.type === 'message' && one.files?.length);
      if (!before && !hasFiles) return receive(told);
      const work = async (): Promise<void> => {
        await before?.catch(() => {});
        const whole: Told[] = [];
        for (const one of told) whole.push(one.type === 'message' ? await withFiles(kind, channel, one) : one);
        await receive(whole);
      };
      const done = work().finally(() => {
        if (lines.get(line) === done) lines.delete(line);
      });
      lines.set(line, done);
      return done;
    },
  };
};

/** Whose chat something was told in, where that is said. */
const chatOf = (told: Told): string[] => {
  switch (told.type) {
    case 'message':
      return [told.message.sender.external_id];
    case 'choice':
      return [told.sender.external_id];
    case 'edit':
      return [told.chat];
    case 'read':
      return [];
    default:
      return unreachable(told);
  }
};

// oxlint-disable-next-line require-await -- a store takes what comes in parts
async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
