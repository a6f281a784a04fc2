import { VisuallyHidden } from '@mantine/core';
import { navWords, type NavWords } from '../words/nav.ts';
import { useWaiting } from './use-waiting.ts';

/** What is counted at which line, and how it is told to who does not see the number. */
const counted = {
  inbox: { of: 'unread_conversations', say: navWords.unread, tone: 'unread' },
  handovers: { of: 'waiting_handovers', say: navWords.waiting, tone: 'waiting' },
} as const;

const isCounted = (words: NavWords): words is keyof typeof counted => Object.hasOwn(counted, words);

/** How much waits at a line of the navigation; nothing at the others, and where nothing does. */
export const NavBadge = ({ of: words }: { of: NavWords }) =>
  isCounted(words) ? <Counted {...counted[words]} /> : null;

const Counted = ({ of, say, tone }: (typeof counted)[keyof typeof counted]) => {
  const { count, more } = useWaiting()?.[of] ?? { count: 0, more: false };
  if (count === 0) return null;
  const number = more ? `${count}+` : String(count);
  return (
    <span className="nav-badge" data-tone={tone}>
      <span aria-hidden>{number}</span>
      <VisuallyHidden>{`, ${say(count, number)}`}</VisuallyHidden>
    </span>
  );
};
