import type { ChannelKind, PublicInbound } from '../../../src/shared/messages/channels/kind.ts';
import { createChannelKinds, kindOf, type ChannelKinds } from '../../../src/shared/messages/channels/kinds.ts';
import type { TelegramSettings } from '../../../src/shared/messages/channels/telegram/kind.ts';
import type { MediaStore } from '../../../src/shared/media/store.ts';
import type { TelegramService } from './service.ts';

/** The product's kinds, which call the double. */
export const kindsWithTelegram = (
  { url }: TelegramService,
  updates: TelegramSettings['updates'] = 'webhook',
  files?: MediaStore,
): ChannelKinds => createChannelKinds({ telegram: { apiUrl: url, updates } }, files);

/** The kind, with its way in. */
export const telegramKindOf = (kinds: ChannelKinds): { kind: ChannelKind; inbound: PublicInbound } => {
  const kind = kindOf(kinds, 'telegram');
  const { inbound } = kind;
  if (!inbound) throw new Error('kind telegram has no way in');
  return { kind, inbound };
};
