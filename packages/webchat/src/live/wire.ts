import { fieldsOf, listOf, numberOf, textOf, textOrNull } from '../reading.ts';

export type Attachment = {
  id: string;
  type: string;
  name: string;
  size: number;
  url: string | null;
  /** A small picture of an image. */
  thumbnail: string | null;
  detail: string;
};

/** Sends a file, and says how much of it has gone, from 0 to 1. */
export type Upload = (
  file: File,
  options: { signal: AbortSignal; onProgress: (part: number) => void },
) => Promise<Attachment>;

export type Message = {
  id: string;
  revision: number;
  /** The id that this browser, or another one of the visitor, gave to its own message. */
  clientId: string | null;
  isMine: boolean;
  author: 'bot' | 'agent';
  authorName: string | null;
  text: string;
  imageUrl: string | null;
  quickReplies: string[];
  attachments: Attachment[];
  createdAt: string;
  readAt: string | null;
  /** When its links came, in ms. */
  linkedAt: number;
};

export type Typing = { bot: boolean; agent: boolean };

export type Changes = {
  conversation: { id: string; status: string; agent: string | null } | null;
  messages: Message[];
  typing: Typing;
  revision: number;
  /** Whether there are more changes, or, of the latest or older messages, older ones. */
  hasMore: boolean;
};

export const readAttachment = (value: unknown): Attachment => {
  const given = fieldsOf(value);
  const place = [given['latitude'], given['longitude']].filter((part) => typeof part === 'number').join(', ');
  return {
    id: textOf(given['id']),
    type: textOf(given['type'], 'file'),
    name: textOf(given['name']),
    size: numberOf(given['size']),
    url: textOrNull(given['url']),
    thumbnail: textOrNull(given['thumbnail_url']),
    detail: textOf(given['phone'], place),
  };
};

export const readMessage = (value: unknown): Message => {
  const given = fieldsOf(value);
  return {
    id: textOf(given['id']),
    revision: numberOf(given['revision']),
    clientId: textOrNull(given['client_id']),
    isMine: given['direction'] === 'visitor',
    author: given['author'] === 'agent' ? 'agent' : 'bot',
    authorName: textOrNull(given['author_name']),
    text: textOf(given['text']),
    imageUrl: textOrNull(given['image_url']),
    quickReplies: listOf(given['quick_replies']).filter((reply) => typeof reply === 'string'),
    attachments: listOf(given['attachments']).map(readAttachment),
    createdAt: textOf(given['created_at']),
    readAt: textOrNull(given['read_at']),
    linkedAt: Date.now(),
  };
};

export const readTyping = (value: unknown): Typing => {
  const given = fieldsOf(value);
  return { bot: given['bot'] === true, agent: given['agent'] === true };
};

/** Reads an answer of `changes`, or an event of the stream. */
export const readChanges = (value: unknown): Changes => {
  const given = fieldsOf(value);
  const conversation = fieldsOf(given['conversation']);
  const id = textOf(conversation['id']);
  return {
    conversation: id
      ? { id, status: textOf(conversation['status']), agent: textOrNull(fieldsOf(conversation['agent'])['name']) }
      : null,
    messages: listOf(given['messages']).map(readMessage),
    typing: readTyping(given['typing']),
    revision: numberOf(given['revision']),
    hasMore: given['has_more'] === true,
  };
};
