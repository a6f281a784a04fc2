import type { triggerTypes } from '../../../../shared/flows/definition/triggers.ts';
import { unreachable } from '../../../../shared/unreachable.ts';
import { words } from './words.ts';

/** What starts a flow, as definitions and the list of live triggers have it. */
export type AnyTrigger = {
  type: 'api' | (typeof triggerTypes)[number];
  match?: 'exact' | 'contains' | 'prefix' | null;
  words?: readonly string[] | null;
  tag?: string | null;
  status?: string | null | undefined;
  /** Of a definition's link; live triggers have it as their word. */
  payload?: string | undefined;
};

/** What starts a flow, in a sentence. */
export const sayTrigger = ({
  type,
  match,
  words: keywords,
  tag,
  status,
  payload = keywords?.[0],
}: AnyTrigger): string => {
  switch (type) {
    case 'keyword':
      return words.triggers.kinds[match ?? 'exact']((keywords ?? []).map((word) => `“${word}”`).join(', '));
    case 'start_link':
      if (payload === undefined) return words.triggers.kinds.start_link;
      return words.triggers.kinds[match === 'prefix' ? 'link_begins' : 'link_is'](payload);
    case 'tag_applied':
      return words.triggers.kinds.tag_applied(tag ?? '');
    case 'order_status_changed':
      return status ? words.triggers.kinds.order_becomes(status) : words.triggers.kinds.order_status_changed;
    case 'api':
    case 'new_contact':
    case 'order_placed':
    case 'default_reply':
      return words.triggers.kinds[type];
    default:
      return unreachable(type);
  }
};
