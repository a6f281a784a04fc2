import { unreachable } from '../../../../shared/unreachable.ts';
import { words } from './words.ts';

/** What starts a flow, as definitions and the list of live triggers have it. */
export type AnyTrigger = {
  type: 'api' | 'keyword' | 'tag_applied' | 'new_contact' | 'order_placed' | 'order_status_changed' | 'default_reply';
  match?: 'exact' | 'contains' | 'prefix' | null;
  words?: readonly string[] | null;
  tag?: string | null;
  status?: string | null | undefined;
};

/** What starts a flow, in a sentence. */
export const sayTrigger = ({ type, match, words: keywords, tag, status }: AnyTrigger): string => {
  switch (type) {
    case 'keyword':
      return words.triggers.kinds[match ?? 'exact']((keywords ?? []).map((word) => `“${word}”`).join(', '));
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
