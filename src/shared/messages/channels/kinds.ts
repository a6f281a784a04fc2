import { apiChannel } from './api/kind.ts';
import type { ChannelKind } from './kind.ts';
import type { ChannelType } from './types.ts';

/** What each type of channel does. */
export const channelKinds: Readonly<Record<ChannelType, ChannelKind>> = { api: apiChannel };
