import {
  IconBell,
  IconCircleCheck,
  IconMessage,
  IconMessageOff,
  IconPackage,
  IconShoppingBag,
  IconTag,
  IconUserPlus,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { Kind } from './kind.ts';

const kinds: Readonly<Record<string, Kind>> = {
  new_message: { icon: IconMessage, hue: 'teal' },
  new_contact: { icon: IconUserPlus, hue: 'blue' },
  tag_applied: { icon: IconTag, hue: 'pink' },
  flow_completed: { icon: IconCircleCheck, hue: 'iris' },
  order_placed: { icon: IconShoppingBag, hue: 'amber' },
  order_status_changed: { icon: IconPackage, hue: 'amber' },
  handover_requested: { icon: IconUserQuestion, hue: 'coral' },
  conversation_closed: { icon: IconMessageOff, hue: 'slate' },
};

const other: Kind = { icon: IconBell, hue: 'slate' };

/** How an event of this name looks, also a new one. */
export const eventKind = (name: string): Kind => kinds[name] ?? other;
