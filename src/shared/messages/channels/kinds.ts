import { apiChannel } from './api/kind.ts';
import type { ChannelKind } from './kind.ts';
import type { ChannelType } from './declarations.ts';

/** What each kind of channel does. */
export const channelKinds: Readonly<Record<ChannelType, ChannelKind>> = { api: apiChannel };
