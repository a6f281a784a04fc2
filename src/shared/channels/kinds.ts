import { apiChannel } from './kinds/api.ts';
import type { ChannelKind } from './kinds/kind.ts';
import type { ChannelType } from './types.ts';

/** What each type of channel does. */
export const channelKinds: Readonly<Record<ChannelType, ChannelKind>> = { api: apiChannel };
