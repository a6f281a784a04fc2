import { t as say } from 'i18next';
import { unreachable } from '../../../../shared/unreachable.ts';

/** What starts a flow, as definitions and the list of live triggers have it. */
export type AnyTrigger = {
  type: 'api' | 'keyword' | 'tag_applied' | 'new_contact' | 'order_placed' | 'order_status_changed' | 'default_reply';
  match?: 'exact' | 'contains' | 'prefix' | null;
  words?: readonly string[] | null;
  tag?: string | null;
  status?: string | null | undefined;
};

/** What starts a flow, in a sentence. */
export const sayTrigger = ({ type, match, words, tag, status }: AnyTrigger): string => {
  switch (type) {
    case 'keyword':
      return say(`triggers:kinds.${match ?? 'exact'}`, { words: (words ?? []).map((word) => `“${word}”`).join(', ') });
    case 'tag_applied':
      return say('triggers:kinds.tag_applied', { tag: tag ?? '' });
    case 'order_status_changed':
      return status ? say('triggers:kinds.order_becomes', { status }) : say('triggers:kinds.order_status_changed');
    case 'api':
    case 'new_contact':
    case 'order_placed':
    case 'default_reply':
      return say(`triggers:kinds.${type}`);
    default:
      return unreachable(type);
  }
};
