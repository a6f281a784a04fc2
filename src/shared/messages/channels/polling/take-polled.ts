import { RequestError } from '../../../errors.ts';
import { showId } from '../../../ids.ts';
import { askAs } from '../../../platform/bulkhead/asker.ts';
import type { Logger } from '../../../platform/log.ts';
import { receiveTold } from '../../inbound/receive-told.ts';
import type { ChannelKind, OpenChannel, PolledUpdate } from '../kind.ts';
import type { Arrivals } from '../arrivals/arrivals.ts';

export type TakeDeps = Parameters<typeof receiveTold>[0] & { log: Logger; arrivals: Pick<Arrivals, 'bring'> };

/** The most chats of a channel whose updates are taken at a time. */
const chatsAtOnce = 4;

/**
 * Takes what a service has told: in its order within each chat, and several chats at a time. What cannot be a message is logged and left out, as nothing
 * would make it one. Throws our own faults once nothing is under way: what was not taken comes again, and what was is known.
 */
export const takePolled = async (
  deps: TakeDeps,
  { kind, channel }: { kind: ChannelKind; channel: OpenChannel },
  updates: readonly PolledUpdate[],
): Promise<void> => {
  const { id: channelId, accountId } = channel;
  const chats = [...Map.groupBy(updates, ({ chat }) => chat).values()];
  const faults: unknown[] = [];
  const takeChat = async (ofChat: readonly PolledUpdate[]): Promise<void> => {
    for (const { told } of ofChat) {
      try {
        await askAs({ accountId }, () =>
          deps.arrivals.bring({ kind, channel, told }, (whole) => receiveTold(deps, { accountId, channelId }, whole)),
        );
      } catch (error) {
        if (!(error instanceof RequestError && error.code === 'invalid_request')) throw error;
        deps.log.warn({ err: error, channel_id: showId('channel', channelId) }, 'channel.update_refused');
      }
    }
  };
  const next = chats.values();
  const work = async (): Promise<void> => {
    for (const ofChat of next) {
      if (faults.length > 0) return;
      await takeChat(ofChat).catch((error: unknown) => faults.push(error));
    }
  };
  await Promise.all(Array.from({ length: chatsAtOnce }, work));
  if (faults.length > 0) throw faults[0];
};
