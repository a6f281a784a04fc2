import { useEffect, useRef } from 'react';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { showAsRead } from '../../../live/known-conversations.ts';

/**
 * Marks a conversation as read that somebody looks at to its end. One that was marked as unread here stays so until it is opened again: `keepUnread` is
 * what marks it.
 */
export const useMarkRead = ({ id, unread }: Schemas['Conversation'], isAtEnd: boolean) => {
  const keptUnread = useRef(false);
  useEffect(() => {
    const read = (): void => {
      if (document.hidden || unread === 0 || !isAtEnd || keptUnread.current) return;
      client
        .POST('/conversations/{id}/read', { params: { path: { id } } })
        // The server tells all pages.
        .then(() => showAsRead(id))
        // It stays unread, and the next message marks it.
        .catch(() => {});
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [id, unread, isAtEnd]);
  return {
    keepUnread: async (): Promise<void> => {
      keptUnread.current = true;
      await client.POST('/conversations/{id}/unread', { params: { path: { id } } });
      await invalidate('/conversations', '/overview/waiting');
    },
  };
};
