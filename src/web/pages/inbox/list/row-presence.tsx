import { VisuallyHidden } from '@mantine/core';
import { usePresentAt } from '../../../live/presence.ts';
import { Avatar } from '../../../parts/avatar.tsx';
import { useUsers } from '../../../parts/use-users.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { presenceWords } from '../../../words/presence.ts';
import { words } from '../words.ts';

/** The most users who are shown. */
const shownAtMost = 3;

/** Which colleagues look at a conversation of the list, and whether they type. */
export const RowPresence = ({ conversationId }: { conversationId: string }) => {
  const present = usePresentAt(conversationId);
  return present.length > 0 && <Colleagues present={present} />;
};

const Colleagues = ({ present }: { present: ReturnType<typeof usePresentAt> }) => {
  const { user } = useSignedIn();
  const { sayUser } = useUsers();
  const types = new Map<string, boolean>();
  for (const { userId, part } of present) {
    if (userId !== user.id) types.set(userId, part !== null || types.get(userId) === true);
  }
  const shown = [...types].slice(0, shownAtMost);
  return shown.map(([userId, isTyping]) => {
    const name = sayUser(userId);
    const said = isTyping ? words.list.types(name) : presenceWords.here(name);
    return (
      <span key={userId} title={said} data-typing={isTyping || undefined} className="inbox-colleague">
        <Avatar id={userId} name={name} size={20} />
        <VisuallyHidden>{said}</VisuallyHidden>
      </span>
    );
  });
};
