import { IconBrandTelegram, IconCode, IconPlug, IconWorld } from '@tabler/icons-react';
import type { Kind } from './kind.ts';

const kinds: Readonly<Record<string, Kind>> = {
  api: { icon: IconCode, hue: 'teal' },
  telegram: { icon: IconBrandTelegram, hue: 'blue' },
  webchat: { icon: IconWorld, hue: 'iris' },
};

const other: Kind = { icon: IconPlug, hue: 'slate' };

/** How a channel of this type looks, also a new one. */
export const channelKind = (type: string): Kind => kinds[type] ?? other;
