import { RequestError } from '../../../errors.ts';
import { showId } from '../../../ids.ts';
import { askAs } from '../../../platform/bulkhead/asker.ts';
import type { Egress } from '../../../platform/egress/client.ts';
import type { Logger } from '../../../platform/log.ts';
import { receiveTold } from '../../inbound/receive-told.ts';
import { acknowledge } from '../acknowledge.ts';
import type { ChannelKind, OpenChannel, PolledUpdate } from '../kind.ts';
import type { Arrivals } from '../arrivals/arrivals.ts';

export type TakeDeps = Parameters<typeof receiveTold>[0] & {
  log: Logger;
  egress: Egress;
  arrivals: Pick<Arrivals, 'bring'>;
};

/** The most chats of a channel whose updates are taken at a time. */
const chatsAtOnce = 4;

/** What was taken of a batch, by `ref`, and the chats that wait for a file. */
export type TakenOfBatch = { taken: ReadonlySet<string>; waiting: ReadonlySet<string> };

/** Before the first batch. */
export const nothingTaken: TakenOfBatch = { taken: new Set(), waiting: new Set() };

/**
 * Takes what a service has told: in its order within each chat, and several chats at a time. A chat whose file cannot be had now waits, and no other
 * chat does: those that waited `before` come last, and what was taken before is skipped. What cannot be read or be a message is logged and left out, as
 * nothing would make it one. Throws our own faults once nothing is under way: what was not taken comes again, and what was is known.
 */
export const takePolled = async (
  deps: TakeDeps,
  { kind, channel }: { kind: ChannelKind; channel: OpenChannel },
  { updates, before }: { updates: readonly PolledUpdate[]; before: TakenOfBatch },
): Promise<TakenOfBatch> => {
  const { id: channelId, accountId } = channel;
  const channel_id = showId('channel', channelId);
  const taken = new Set(updates.map(({ ref }) => ref).filter((ref) => before.taken.has(ref)));
  const waiting = new Set<string>();
  const faults: unknown[] = [];
  const left = updates.filter(({ ref }) => !taken.has(ref));
  const chats = [...Map.groupBy(left, ({ chat }) => chat)].toSorted(
    ([one], [other]) => Number(before.waiting.has(one)) - Number(before.waiting.has(other)),
  );
  const takeOne = async (told: NonNullable<PolledUpdate['told']>): Promise<void> => {
    try {
      await askAs({ accountId }, () =>
        deps.arrivals.bring({ kind, channel, told }, (whole) => receiveTold(deps, { accountId, channelId }, whole)),
      );
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'invalid_request')) throw error;
      deps.log.warn({ err: error, channel_id }, 'channel.update_refused');
    }
    acknowledge(deps, kind, { channel, told });
  };
  const takeChat = async (ofChat: readonly PolledUpdate[]): Promise<void> => {
    for (const { ref, told } of ofChat) {
      if (told) await takeOne(told);
      else deps.log.warn({ channel_id, update: ref }, 'channel.update_refused');
      taken.add(ref);
    }
  };
  const next = chats.values();
  const work = async (): Promise<void> => {
    for (const [chat, ofChat] of next) {
      if (faults.length > 0) return;
      await takeChat(ofChat).catch((error: unknown) => {
        if (error instanceof RequestError && error.code === 'unavailable') waiting.add(chat);
        else faults.push(error);
      });
    }
  };
  await Promise.all(Array.from({ length: chatsAtOnce }, work));
  if (faults.length > 0) throw faults[0];
  const count = waiting.size;
  if (count > before.waiting.size) deps.log.warn({ channel_id, chats: count }, 'channel.files_awaited');
  return { taken, waiting };
};
