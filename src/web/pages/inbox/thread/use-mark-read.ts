import { useEffect, useRef } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { showAsRead } from '../../../live/known-conversations.ts';

type Options = {
  /** Whether the end of the thread is in sight. */
  isAtEnd: boolean;
  /** The revision that is shown: what comes while the request is on its way stays unread. */
  seen: number;
};

/**
 * Marks a conversation as read that somebody looks at to its end. One that was marked as unread here stays so until it is opened again: `keepUnread` is
 * what marks it.
 */
export const useMarkRead = ({ id, unread }: Schemas['Conversation'], { isAtEnd, seen }: Options) => {
  const keptUnread = useRef(false);
  useEffect(() => {
    const read = (): void => {
      if (document.hidden || unread === 0 || !isAtEnd || keptUnread.current) return;
      client
        .POST('/conversations/{id}/read', { params: { path: { id } }, body: { revision: seen } })
        // The server tells all pages.
        .then(({ data }) => data?.unread === 0 && showAsRead(id))
        // It stays unread, and the next message marks it.
        .catch(() => {});
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread, isAtEnd, seen]);
  return {
    keepUnread: async (): Promise<void> => {
      keptUnread.current = true;
      await client.POST('/conversations/{id}/unread', { params: { path: { id } } });
      await invalidate('/conversations', '/overview/waiting');
    },
  };
};
