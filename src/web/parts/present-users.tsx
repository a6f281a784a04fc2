import { Text, Tooltip } from '@mantine/core';
import type { Present } from '../live/presence.ts';
import { useSignedIn } from '../shell/session-context.ts';
import { presenceWords as words } from '../words/presence.ts';
import { Avatar } from './avatar.tsx';
import { useUsers } from './use-users.ts';

/** The most users who are named. */
const namedAtMost = 3;

type Props = {
  others: readonly Present[];
  /** What a part is called. */
  sayPart?: (part: string) => string;
};

/** Who else is here, beside a title: their avatars, and what they edit. Nothing where there is nobody. */
export const PresentUsers = ({ others, sayPart = (part) => part }: Props) =>
  others.length > 0 && <Avatars others={others} sayPart={sayPart} />;

const Avatars = ({ others, sayPart }: Required<Props>) => {
  const { user } = useSignedIn();
  const { sayUser } = useUsers();
  const parts = new Map<string, string | null>();
  for (const { userId, part } of others) parts.set(userId, part ?? parts.get(userId) ?? null);
  const users = [...parts];
  const say = (userId: string, part: string | null): string => {
    if (userId === user.id) return words.you;
    return part === null ? words.here(sayUser(userId)) : words.editing(sayUser(userId), sayPart(part));
  };
  const named = users.slice(0, namedAtMost);
  const rest = users.length - named.length;
  const sentences = [...named.map(([userId, part]) => say(userId, part)), ...(rest > 0 ? [words.more(rest)] : [])];
  return (
    <Tooltip label={sentences.join(' · ')} multiline maw={320}>
      <span className="with-mark" role="status">
        <span className="avatars">
          {named.map(([userId]) => (
            <Avatar key={userId} id={userId} name={sayUser(userId)} />
          ))}
        </span>
        <Text span size="sm" c="dimmed" lineClamp={1}>
          {sentences.join(' · ')}
        </Text>
      </span>
    </Tooltip>
  );
};
