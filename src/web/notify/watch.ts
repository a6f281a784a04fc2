import { client, type Schemas } from '../api/client.ts';
import { onTalk } from '../live/talks.ts';
import { counts, isWanted, waysFor } from './choose.ts';
import { keepTold, readTold, type Told } from './told.ts';

type Conversation = Schemas['Conversation'];

/** At least so long, in ms, between two readings. A page that shows a conversation has marked it as read by then. */
const pauseMs = 2_000;

/** The most conversations of a kind that are looked at: those with the latest messages. */
const atMost = 50;

/** A message that came longer ago than this, in ms, is counted and notifies nobody. */
const freshMs = 5 * 60_000;

type Watching = {
  userId: string;
  /** The user's settings now; undefined until they are known. */
  settings: () => Schemas['NotificationSettings'] | undefined;
  /** `isAssigned`: because somebody else has assigned it to the user. */
  tell: (conversation: Conversation, ways: ReturnType<typeof waysFor>, isAssigned: boolean) => void;
  share: (count: number) => void;
  /** Messages that came before notify nobody, in ms. */
  sinceMs: number;
};

/** Reads the conversations that wait for the user whenever one has changed, tells of new messages, waits and assignments once, and shares how many wait. Answers what ends it. */
export const watch = ({ userId, settings, tell, share, sinceMs }: Watching): (() => void) => {
  let told = readTold(userId);
  let isBusy = false;
  let isAsked = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async (): Promise<void> => {
    const chosen = settings();
    if (!chosen) return;
    const read = await readWaiting(chosen, userId);
    const waiting = new Set(read.filter((one) => counts(one, chosen, userId)));
    const now: Told = new Map();
    const isFresh = (at: string): boolean => Date.parse(at) > Math.max(sinceMs - pauseMs, Date.now() - freshMs);
    for (const one of read) {
      const { id, owner, last_message: last, waiting_since: since, assigned_to: agent } = one;
      const before = told.get(id);
      const counted = waiting.has(one);
      const wrote = counted && last?.direction === 'inbound' ? last : undefined;
      const waits = counted && owner === 'waiting' ? since : null;
      // Whoever assigns it may have read it.
      const assigned = agent === userId ? one.assigned_by_other_at : null;
      const known = counted ? { message: wrote?.id ?? before?.message, since: waits ?? before?.since } : {};
      now.set(id, { ...known, ...(assigned !== null && { assigned }) });
      const isAssigned = assigned !== null && assigned !== before?.assigned && isFresh(assigned);
      // The bot may have the last word, and hand over with it.
      const isNew =
        isAssigned ||
        (wrote && wrote.id !== before?.message && isFresh(wrote.created_at)) ||
        (waits !== null && waits !== before?.since && isFresh(waits));
      if (isNew) tell(one, waysFor(one, chosen, { userId, now: new Date() }), isAssigned);
    }
    told = now;
    keepTold(userId, told);
    if (!isOver) share(waiting.size);
  };

  const ask = (): void => {
    isAsked = true;
    if (isBusy || isOver) return;
    isBusy = true;
    timer = setTimeout(() => {
      isAsked = false;
      void look()
        // The next change has it read again.
        .catch(() => {})
        .finally(() => {
          isBusy = false;
          if (isAsked) ask();
        });
    }, pauseMs);
  };

  const end = onTalk(ask);
  ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
    end();
  };
};

/** What agents have and the user hears of, each once. */
const readWaiting = async (chosen: Schemas['NotificationSettings'], userId: string): Promise<Conversation[]> => {
  const latest = { status: 'open', order: 'latest_message', limit: atMost } as const;
  const lists = await Promise.all([
    ...(isWanted(chosen.all)
      ? [read({ ...latest, owner: 'agent' })]
      : isWanted(chosen.mine)
        ? [read({ ...latest, assigned_to: userId })]
        : []),
    ...(isWanted(chosen.all) || isWanted(chosen.unassigned) ? [read({ ...latest, owner: 'waiting' })] : []),
  ]);
  return [...new Map(lists.flat().map((one) => [one.id, one])).values()];
};

type Query = {
  status: 'open';
  order: 'latest_message';
  limit: number;
  owner?: 'agent' | 'waiting';
  assigned_to?: string;
};

const read = async (query: Query): Promise<Conversation[]> => {
  const { data } = await client.GET('/conversations', { params: { query } });
  return data?.data ?? [];
};
