import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client.ts';
import { linkOfConversation } from '../parts/link-of-conversation.ts';
import { useSignedIn } from '../shell/session-context.ts';
import { elect } from './elect.ts';
import { showNotification } from './desktop.ts';
import { showCount } from './show-count.ts';
import { playSound } from './sound.ts';
import { watch } from './watch.ts';
import { words } from './words.ts';

/** Tells the user of messages that agents have to answer, by one page of the browser, and shows on all of them how many wait. */
export const Notifier = () => {
  const { user } = useSignedIn();
  const navigate = useNavigate();
  const { data } = api.useQuery('get', '/notification-settings');
  const settings = useRef(data);
  const go = useRef(navigate);
  useEffect(() => {
    settings.current = data;
    go.current = navigate;
  });
  const isKnown = data !== undefined;
  useEffect(() => {
    if (!isKnown) return undefined;
    const leave = elect(
      (share, sinceMs) =>
        watch({
          userId: user.id,
          settings: () => settings.current,
          tell: (conversation, { sound, desktop }, isAssigned) => {
            if (sound) void playSound().catch(() => {});
            if (!desktop) return;
            const { id, owner, assigned_to: agent } = conversation;
            const { mine, waiting, ofColleague } = words;
            const ofMessage = agent === user.id ? mine : owner === 'waiting' ? waiting : ofColleague;
            showNotification({
              title: isAssigned ? words.assigned : ofMessage,
              text: words.open,
              tag: id,
              onClick: () => void go.current(linkOfConversation({ id })),
            });
          },
          share,
          sinceMs,
        }),
      showCount,
    );
    return () => {
      leave();
      showCount(0);
    };
  }, [user.id, isKnown]);
  return null;
};
