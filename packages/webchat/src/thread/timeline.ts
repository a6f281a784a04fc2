import type { Attachment, Message } from '../live/wire.ts';
import type { Texts } from '../texts.ts';
import type { Pending } from './outbox.ts';

/** One thing below the other, as the thread shows it. Keys stay when a message is acknowledged. */
export type Item =
  | { kind: 'day'; key: string; label: string }
  | { kind: 'message'; key: string; bubble: Bubble }
  | { kind: 'replies'; key: string; messageId: string; replies: string[] };

export type Bubble = {
  isMine: boolean;
  author: 'bot' | 'agent' | 'visitor';
  name: string;
  text: string;
  imageUrl: string | null;
  attachments: Attachment[];
  /** The first and last of what one author has said in a row. */
  isFirst: boolean;
  isLast: boolean;
  time: string;
  dateTime: string;
  status: '' | 'sending' | 'sent' | 'seen' | 'failed';
  /** Why it was not sent, in words. */
  reason: string | null;
  clientId: string | null;
};

export type TimelineInput = {
  messages: readonly Message[];
  pending: readonly Pending[];
  greeting: string;
  hasOlder: boolean;
  texts: Texts;
  locale: string;
  now: Date;
};

/** What one author says within five minutes stands together. */
const groupMs = 300_000;

type Said = Omit<Bubble, 'isFirst' | 'isLast' | 'time'> & { key: string; at: Date | undefined };

const sayer = (said: Said): string => `${said.author} ${said.name}`;

const isTogether = (one: Said | undefined, other: Said | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  sayer(one) === sayer(other) &&
  Math.abs((other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0)) < groupMs;

const saidOf = (message: Message, texts: Texts): Said => ({
  key: message.isMine ? (message.clientId ?? message.id) : message.id,
  at: new Date(message.createdAt),
  dateTime: message.createdAt,
  isMine: message.isMine,
  author: message.isMine ? 'visitor' : message.author,
  name: message.isMine ? texts.you : (message.authorName ?? texts[message.author]),
  text: message.text,
  imageUrl: message.imageUrl,
  attachments: message.attachments,
  status: message.isMine ? (message.readAt === null ? 'sent' : 'seen') : '',
  reason: null,
  clientId: message.clientId,
});

const saidOfPending = ({ clientId, text, files, at, state, reason }: Pending, texts: Texts): Said => ({
  key: clientId,
  at: new Date(at),
  dateTime: new Date(at).toISOString(),
  isMine: true,
  author: 'visitor',
  name: texts.you,
  text,
  imageUrl: null,
  attachments: files,
  status: state === 'failed' ? 'failed' : 'sending',
  reason: reason && texts[reason],
  clientId,
});

const greetingOf = (greeting: string, texts: Texts): Said => ({
  key: 'greeting',
  at: undefined,
  dateTime: '',
  isMine: false,
  author: 'bot',
  name: texts.bot,
  text: greeting,
  imageUrl: null,
  attachments: [],
  status: '',
  reason: null,
  clientId: null,
});

const capital = (text: string, locale: string): string => text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);

/** Names days "Today", "Yesterday", "Mon, 3 Nov", in the language of the texts. Formats take long to make: each day is named once. */
export const createDayNames = (now: Date, locale: string): ((day: Date) => string) => {
  const names = new Map<number, string>();
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const thisYear = new Intl.DateTimeFormat(locale, parts);
  const anyYear = new Intl.DateTimeFormat(locale, { ...parts, year: 'numeric' });
  const midnight = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const nameOf = (day: Date): string => {
    const days = Math.round((midnight(day) - midnight(now)) / 86_400_000);
    if (days === 0 || days === -1) return capital(relative.format(days, 'day'), locale);
    return (day.getFullYear() === now.getFullYear() ? thisYear : anyYear).format(day);
  };
  return (day) => {
    const key = midnight(day);
    const name = names.get(key) ?? nameOf(day);
    names.set(key, name);
    return name;
  };
};

/** All that the thread shows, in its order. */
export const buildTimeline = ({ messages, pending, greeting, hasOlder, texts, locale, now }: TimelineInput): Item[] => {
  const acknowledged = new Set(
    messages.flatMap(({ clientId, isMine }) => (isMine && clientId !== null ? [clientId] : [])),
  );
  const said = [
    ...(greeting !== '' && !hasOlder ? [greetingOf(greeting, texts)] : []),
    ...messages.map((message) => saidOf(message, texts)),
    ...pending.filter(({ clientId }) => !acknowledged.has(clientId)).map((one) => saidOfPending(one, texts)),
  ];
  const nameDay = createDayNames(now, locale);
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  const lastMine = said.findLastIndex(({ isMine }) => isMine);
  const items: Item[] = [];
  let day = '';
  for (const [place, { key, at, ...bubble }] of said.entries()) {
    const own = said[place];
    const label = at && !Number.isNaN(at.getTime()) ? nameDay(at) : day;
    const isNewDay = label !== day;
    if (isNewDay) items.push({ kind: 'day', key: `day ${key}`, label });
    day = label;
    const next = said[place + 1];
    const isShown = bubble.status === 'failed' || bubble.status === 'sending' || place === lastMine;
    items.push({
      kind: 'message',
      key,
      bubble: {
        ...bubble,
        status: isShown ? bubble.status : '',
        isFirst: isNewDay || !isTogether(said[place - 1], own),
        isLast: !isTogether(own, next) || (next?.at !== undefined && nameDay(next.at) !== label),
        time: at && !Number.isNaN(at.getTime()) ? time.format(at) : '',
      },
    });
  }
  const last = messages.at(-1);
  const isOpen = last !== undefined && !last.isMine && last.quickReplies.length > 0 && said.at(-1)?.key === last.id;
  if (isOpen) {
    const replies = last.quickReplies.slice(0, 30);
    items.push({ kind: 'replies', key: `replies ${last.id}`, messageId: last.id, replies });
  }
  return items;
};
