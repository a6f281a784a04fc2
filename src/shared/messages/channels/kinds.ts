import type { LimitsByType } from '../../flows/blocks/message-limits.ts';
import type { MediaStore } from '../../media/store.ts';
import { telegramApiUrl } from '../../platform/config.ts';
import { apiChannel } from './api/kind.ts';
import type { ChannelType } from './declarations.ts';
import type { ChannelKind } from './kind.ts';
import { createTelegramChannel, type TelegramSettings } from './telegram/kind.ts';
import { webchatChannel } from './webchat/kind.ts';

/** The kinds of channels by their types, as a process serves them. */
export type ChannelKinds = Readonly<Record<string, ChannelKind>>;

/** What channels of each type take of a message. */
export const limitsOf = (kinds: ChannelKinds): LimitsByType =>
  Object.fromEntries(Object.entries(kinds).map(([type, { declaration }]) => [type, declaration.limits]));

/** What the operator sets of kinds. */
export type KindSettings = { telegram: TelegramSettings };

/** What each kind of channel does. `files` are those of messages, for a process that sends. */
export const createChannelKinds = ({ telegram }: KindSettings, files?: MediaStore) =>
  ({ api: apiChannel, telegram: createTelegramChannel(telegram, files), webchat: webchatChannel }) satisfies Record<
    ChannelType,
    ChannelKind
  >;

/** The same where the operator has set nothing, for what sends nothing: documents and limits. */
export const channelKinds = createChannelKinds({ telegram: { apiUrl: telegramApiUrl, updates: 'webhook' } });

/** The kind of a channel that is stored. */
export const kindOf = (kinds: ChannelKinds, type: string): ChannelKind => {
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (!kind) throw new TypeError(`there is no kind of channel "${type}"`);
  return kind;
};
