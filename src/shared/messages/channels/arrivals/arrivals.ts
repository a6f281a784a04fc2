import type { ChannelKind, OpenChannel, Told } from '../kind.ts';
import { createAlbums, type AlbumDeps, type ToldPart } from './albums.ts';
import { createChatTyping } from '../../outbound/chat-typing.ts';
import { createRemoteFiles, type RemoteFileDeps } from './remote-files.ts';

export type Arrivals = ReturnType<typeof createArrivals>;

/** What comes in over channels before it is a message: files are fetched for it, and parts of albums wait for each other. Chats show that flows type. */
export const createArrivals = (deps: AlbumDeps & RemoteFileDeps, options: { now?: () => number } = {}) => {
  const remoteFiles = createRemoteFiles(deps, options);
  const albums = createAlbums(deps, remoteFiles.withFiles);
  const typing = createChatTyping(deps, options);
  return {
    /**
     * Has `receive` record what was told, in its order within a chat. Parts of albums are safe once this has resolved, and become messages soon. Throws
     * `unavailable`, with nothing recorded, where a file may be had later.
     */
    bring: async (
      from: { kind: ChannelKind; channel: OpenChannel; told: readonly Told[] },
      receive: (told: readonly Told[]) => Promise<void>,
    ): Promise<void> => {
      const { kind, channel, told } = from;
      const parts = told.filter(isPart);
      for (const part of parts) await albums.hold(channel, part);
      typing.note(kind, channel, parts.flatMap(chatOf));
      if (parts.length === told.length) return;
      const others = told.filter((one) => !isPart(one));
      await albums.complete(channel.id, { chats: others.flatMap(chatOf), messageIds: others.flatMap(changedBy) });
      const whole: Told[] = [];
      for (const one of others) whole.push(await albums.withCaptions(channel, one));
      await remoteFiles.bring({ ...from, told: whole }, receive);
      typing.note(kind, channel, others.flatMap(chatOf));
    },
    stop: async (): Promise<void> => {
      await albums.stop();
      await typing.stop();
    },
  };
};

const isPart = (told: Told): told is ToldPart => told.type === 'message' && told.album !== undefined;

const chatOf = (told: Told): string[] => {
  if (told.type === 'message') return [told.message.sender.external_id];
  return told.type === 'choice' ? [told.sender.external_id] : [];
};

const changedBy = (told: Told): string[] => (told.type === 'edit' ? [told.message.message_id] : []);
