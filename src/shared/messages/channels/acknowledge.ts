import { showId } from '../../ids.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Logger } from '../../platform/log.ts';
import type { ChannelKind, OpenChannel, Told } from './kind.ts';

/** Tells a channel's service that what it told is taken, as far as it waits for that. Nothing waits for this, and nothing is lost with it. */
export const acknowledge = (
  { egress, log }: { egress: Egress; log: Logger },
  kind: ChannelKind,
  { channel, told }: { channel: OpenChannel; told: readonly Told[] },
): void => {
  for (const one of told) {
    if (one.type !== 'choice') continue;
    kind.acknowledge?.({ egress }, channel, one.ref).catch((error: unknown) => {
      log.warn({ err: error, channel_id: showId('channel', channel.id) }, 'channel.not_acknowledged');
    });
  }
};
